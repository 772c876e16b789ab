sign-in-title = Connexion
sign-in = Se connecter
sign-in-wrong = L’adresse e-mail, le mot de passe ou le code est faux. Chaque code ne sert qu’une fois : attendez le suivant.
sign-in-limited = Trop de tentatives. Attendez quelques minutes, puis réessayez.
sign-in-busy = Beaucoup de personnes se connectent en ce moment. Rien n’a été compté contre vous : réessayez dans quelques secondes.
sign-in-lost = Mot de passe, application ou codes de secours perdus ? Demandez un nouveau lien à un propriétaire de votre boutique, depuis la page Personnes, ou à la personne qui gère le service.
sign-in-passkey-lost = Seulement des clés d’accès, et l’appareil est perdu ? Laissez le mot de passe vide, et entrez un code de secours.
email = Adresse e-mail
password = Mot de passe
new-password = Nouveau mot de passe
password-help = Au moins 12 caractères.
code = Code
code-help = Les six chiffres de votre application, ou un code de secours.
proof-title = Confirmez que c’est vous
proof-text = L’argent, les clés et les personnes demandent une confirmation de moins de 5 minutes. Ensuite vous continuez où vous étiez.
proof-confirm = Confirmer
enrol-title = Préparez votre accès
enrol-for = Pour { $email }
your-name = Votre nom
account-name = Nom de la boutique, tel que les payeurs le lisent
enrol-app = Codes à usage unique
enrol-app-text = Scannez ceci avec une application de codes à usage unique, comme Aegis, Google Authenticator ou 1Password. Sur ce téléphone, copiez la clé dans l’application.
enrol-code-image = Code QR avec la clé écrite ci-dessous
enrol-secret = La clé :
enrol-code = Les six chiffres affichés par l’application
enrol = Terminer
form-has-faults = Rien n’a encore été enregistré. Corrigez les champs marqués ; retapez le mot de passe et le code.
fault-name = Entrez de 1 à 80 caractères.
fault-email = Entrez une adresse e-mail.
fault-account = Entrez de 1 à 80 caractères.
fault-password = Entrez au moins 12 caractères.
fault-code = Ce n’est pas le code de l’application. Vérifiez l’heure de votre téléphone.
link-ended-title = Ce lien ne fonctionne plus
link-ended-text = Un lien fonctionne une fois, pendant une heure. Demandez-en un nouveau.
recovery-title = Codes de secours
recovery-text = Chacun de ces codes remplace une fois un code à usage unique, le jour où vous n’avez pas votre application. Notez-les maintenant : ils ne sont affichés qu’une fois.
recovery-text-passkey = Chacun de ces codes vous connecte une fois, avec votre adresse e-mail et sans mot de passe, le jour où vous n’avez pas votre appareil. Notez-les maintenant : ils ne sont affichés qu’une fois. Sans codes ni appareil, demandez un nouveau lien à un propriétaire de votre boutique, depuis la page Personnes, ou à la personne qui gère le service.
recovery-code = Code de secours
recovery-code-proof = Si vous n’avez pas votre clé d’accès. Chaque code ne sert qu’une fois.
recovery-kept = Je les ai notés
recovery-left =
    { $count ->
        [one] Il reste un code.
       *[other] Il reste { $count } codes.
    }
recovery-replace = Créer de nouveaux codes de secours
nav-security = Votre sécurité
sessions-title = Où vous êtes connecté
session-this = Celle-ci
session-times = Depuis le { $since }, vue le { $seen }
session-end = Y mettre fin
done-session-ended = Cette session est terminée : qui l’utilise doit se reconnecter.
password-change = Changer le mot de passe
password-change-help = Toutes vos autres sessions prennent fin.
password-change-keeps = Les liens ouverts pour définir un mot de passe prennent fin aussi. Les clés d’accès, les comptes liés et les codes de secours restent valables.

kept-title = Votre saisie a été gardée
kept-text = Votre session était terminée, ou vous deviez confirmer votre identité. Voici ce qui a été saisi ; rien n’a encore été envoyé :
kept-send = Envoyer maintenant
kept-discard = Ne pas l’envoyer

unlock-title = Verrouillé
unlock-text = Entrez le code PIN de ce téléphone pour continuer.
unlock = Déverrouiller
unlock-wrong = Ce code PIN est faux.
unlock-tries-left =
    { $count ->
        [one] Il reste un essai. S’il est faux aussi, ce téléphone est déconnecté.
       *[other] Il reste { $count } essais.
    }
unlock-ended = Cinq codes PIN étaient faux : ce téléphone a été déconnecté. Connectez-vous de nouveau.
unlock-lost = Vous n’avez pas le code PIN ?
