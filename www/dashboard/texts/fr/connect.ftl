connect-title = Connecter un opérateur
connect-own = Opérateurs que vous connectez ici
connect-own-none = Aucun pour l’instant. Un opérateur est l’entreprise qui déplace l’argent : connectez le vôtre pour encaisser et verser de l’argent réel.
connect-choose = Avec quel opérateur avez-vous un contrat ?
connect-live-only = Les opérateurs se connectent en mode réel, pour les paiements réels. Les paiements de test vont à l’opérateur de test.
connect-which = Connecter { $operator }
connect-ask-for = Ce qu’il faut demander à { $operator }
connect-text-mtn-momo = Un portefeuille marchand et un contrat pour la MoMo Open API ; le produit Collections pour les encaissements, et Disbursements pour les versements et remboursements ; pour chacun l’API user, l’API key et la subscription key. MTN doit enregistrer l’hôte de l’adresse de rappel ci-dessous, et pour les versements l’adresse publique de ce service.
connect-text-hubtel = Un API id et une clé avec les droits nécessaires, le POS sales id, et pour les versements le prepaid deposit id. Hubtel doit inscrire l’adresse publique de ce service pour chacun de ses services. Hubtel exige des numéros vérifiés : les clients des liens de paiement et des paiements ouverts ne lui sont pas envoyés.
connect-text-paystack = Un compte d’entreprise activé pour les paiements réels, avec mobile money ; pour les versements Transfers, sans « Confirm transfers before sending » ; et la clé secrète réelle. Saisissez l’adresse de rappel ci-dessous comme URL de webhook.
connect-text-pawapay = Un compte marchand avec le Ghana activé, et un API token. Saisissez l’adresse de rappel ci-dessous pour chaque opération, et activez les rappels signés. Avec des requêtes signées, un jeton volé seul ne déplace pas d’argent : saisissez alors aussi votre clé privée et son id.
connect-sealed = Les identifiants sont chiffrés avec la clé de ce service et ne sont plus jamais montrés. Seuls les paiements de cette boutique sont envoyés avec eux.
connect-supersedes = Après sa première vérification réussie, il prend la place de { $name }. Les paiements en cours et les remboursements de { $name } continuent avec ses anciens identifiants.
connect-replace-title = Nouveaux identifiants pour { $name }
connect-replace-same = Ce doivent être les identifiants du même compte chez l’opérateur : les paiements en cours et les remboursements continuent avec eux. Les anciens restent en vigueur jusqu’à ce qu’une vérification accepte les nouveaux.
connect-secrets-again = Saisissez de nouveau les secrets : ils ne sont pas conservés.
connect-name = Nom
connect-name-help = Pour distinguer vos opérateurs : 1 à 32 lettres minuscules, chiffres et tirets, par exemple mtn.
connect-bad-name = Un nom a 1 à 32 lettres minuscules, chiffres et tirets, et rien d’autre.
connect-name-taken = Un autre opérateur de cette boutique porte ce nom.
connect-too-many = Cette boutique a autant d’opérateurs qu’elle peut en avoir : { $limit }, avec ceux qui ont été retirés.
connect-changed = Quelqu’un a modifié cet opérateur entre-temps. Rien n’a été modifié maintenant : regardez-le, puis réessayez.
connect-is-retired = Cet opérateur a été retiré. Rien n’a été modifié.
connect-other-merchant = Ces identifiants sont ceux d’un autre compte ou d’une autre plateforme de l’opérateur : les paiements en cours n’y seraient pas trouvés. Rien n’a été enregistré. Revenez en arrière et choisissez « Un autre compte chez l’opérateur ».
connect-missing-product = Il manque à ces identifiants un produit que les identifiants en vigueur ont : ses paiements en cours et ses remboursements ne pourraient pas être terminés. Rien n’a été enregistré. Saisissez les identifiants de chaque produit.
connect-not-checked = Aucune vérification n’a encore accepté les identifiants. Vérifiez-les d’abord.
connect-save = Enregistrer, puis vérifier
connect-save-only = Enregistrer sans vérifier
connect-state-unchecked = attend sa vérification, et ne dessert rien
connect-state-replaced = en vigueur ; de nouveaux identifiants attendent leur vérification
connect-state-checked = en vigueur
connect-state-unusable = inutilisable : ses identifiants ne peuvent pas être lus. Saisissez-les à nouveau
connect-state-retired = retiré
connect-made = Enregistré
connect-checked = Accepté
connect-callback = Adresse de rappel
connect-callback-help = Ne donnez cette adresse qu’à { $operator } : elle contient un secret.
connect-check = Vérification
connect-check-help = L’opérateur est interrogé, et aucun argent ne bouge. Les identifiants n’entrent en vigueur que si chaque ligne est juste, sauf celle de l’adresse de rappel : sans rappels, l’opérateur est interrogé pour chaque état.
connect-check-button = Vérifier
connect-serve = Ce qu’il dessert
connect-serve-help = Un seul opérateur dessert un réseau dans un sens. Là où un autre des vôtres le faisait, celui-ci prend sa place.
connect-settings-win = { $name } du fichier de réglages le dessert, et passe avant ce choix.
connect-other = Actuellement { $name } le dessert.
connect-serve-button = Enregistrer ce qu’il dessert
connect-try = L’essayer avec 1 GH₵
connect-try-help = Demandez 1 GH₵ à votre propre téléphone. C’est de l’argent réel : rendez-le avec Rembourser sur la page du paiement.
connect-tried = 1 GH₵ est arrivé du { $number } ({ $at }).
connect-return = Le rendre
connect-replace = Remplacer les identifiants
connect-replace-help = Les paiements en cours et les remboursements restent au compte chez l’opérateur avec lequel ils ont commencé. Dites donc de quel compte sont les nouveaux identifiants.
connect-replace-same-link = Le même compte chez l’opérateur, avec une nouvelle clé
connect-replace-other-link = Un autre compte chez l’opérateur
connect-retire = Retirer
connect-retired-text = Un opérateur retiré ne reçoit plus de nouveaux paiements. L’état des paiements en cours est toujours demandé, et ses encaissements peuvent être remboursés.
confirm-retire-operator = Retirer { $who } ? Il ne reçoit plus de nouveaux paiements, et ne peut pas être remis.
confirm-retire-operator-verb = Retirer { $who }
done-operator-connected = Enregistré. Vérifiez maintenant les identifiants.
done-operator-saved = Enregistré. L’opérateur n’accepte pas encore tout : voyez les lignes de la vérification. Rien n’a changé pour vos paiements.
done-operator-accepted = L’opérateur accepte les identifiants. Ils sont en vigueur.
done-operator-routed = Ce qu’il dessert a été modifié.
done-operator-replaced = Enregistré. Vérifiez les nouveaux identifiants : d’ici là, les anciens restent en vigueur.
done-operator-retired = L’opérateur a été retiré.
operators-built-in = fait partie de Tua
operators-of-settings = fichier de réglages
operators-of-dashboard = connecté ici
credential-platform = Qu’avez-vous reçu de MTN ?
credential-platform-legacy = un API user et une API key
credential-platform-2026 = un User ID et un Credential Token
credential-collection-user = Collections : API user, ou User ID
credential-collection-key = Collections : API key, ou Credential Token
credential-collection-subscription-key = Collections : subscription key
credential-disbursement-user = Disbursements : API user, ou User ID
credential-disbursement-key = Disbursements : API key, ou Credential Token
credential-disbursement-subscription-key = Disbursements : subscription key
credential-api-id = API id
credential-api-key = API key
credential-pos-sales-id = POS sales id
credential-prepaid-deposit-id = Prepaid deposit id, pour les versements (facultatif)
credential-secret-key = Clé secrète réelle, qui commence par sk_live_
credential-email-fallback = Adresse e-mail pour les clients qui n’en ont pas
credential-api-token = API token
credential-signed-callbacks = pawaPay signe ses rappels
credential-signing-key-id = Id de la clé de signature (facultatif)
credential-signing-key = Clé privée de signature, en PEM (facultatif)
connect-live = Connecter un opérateur en mode réel
connect-credentials = Ce que { $operator } vous a donné
connect-unreachable = { $operator } ne peut pas joindre { $host } : seule cette machine ou son propre réseau le peut. Démarrez le service avec --public-url et son adresse publique en https.
connect-letter = Une lettre à { $operator }
connect-letter-short = Lettre
connect-letter-text =
    Bonjour { $operator },

    merci d’enregistrer ceci pour les paiements réels de { $shop } :

    Adresse de rappel : { $callback }
    Hôte des rappels : { $host }
    Adresse publique de notre service : { $address }
    Adresse IP d’où notre service vous appelle : (demandez à qui gère le serveur)

    Merci aussi de nous dire où trouver nos identifiants pour les paiements réels, sans les envoyer par e-mail.

    Merci de garder l’adresse de rappel confidentielle : elle contient un secret.
credential-platform-help = Dans le Partner Portal de MTN, un User ID et un Credential Token se trouvent sous System and device credentials, System Credentials. Une paire vaut pour tout le portefeuille : saisissez-la pour chaque produit utilisé. Un API user et une API key sont faits pour chaque produit.
