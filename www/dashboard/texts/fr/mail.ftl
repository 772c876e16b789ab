done-saved = Enregistré.
done-password = Votre nouveau mot de passe est valable. Vos autres sessions et les liens encore ouverts ont pris fin. Vos clés d’accès, vos comptes liés et vos codes de récupération ouvrent toujours le tableau de bord : supprimez ci-dessous ce que vous ne connaissez pas.
settings-no-mail = Ce service n’a pas de serveur d’e-mail : aucun reçu n’est envoyé et aucune page ne demande d’adresse. La personne qui s’occupe du service peut en configurer un.
mail-title = E-mails non remis
mail-help = Le service a abandonné ces messages : le serveur les a refusés, toutes les tentatives ont échoué, ou ils n’étaient plus nécessaires. Ils sont affichés pendant 30 jours, sans adresses.
mail-none = Chaque message a été remis, ou attend encore une tentative.
mail-given-up = { $count ->
    [one] Un e-mail n’a pas été remis
   *[other] { $count } e-mails n’ont pas été remis
}
mail-about = Objet
mail-attempts = Tentatives
mail-last = Dernière tentative
mail-fault = Raison
mail-kind-INVITATION = Invitation
mail-kind-RESET = Nouveau mot de passe
mail-kind-ALERTS = Alertes
mail-kind-RECEIPT = Reçu
mail-kind-REFUND = Remboursement
mail-kind-SECURITY = Avis de sécurité
mail-kind-REPORT = Rapport
reports-title = Rapports par e-mail
reports-text = Argent reçu et sorti, taux de succès et ce qui attend une personne, pour vos comptes en mode réel. Un rapport arrive à 6 h du matin, après la fin du jour ou de la semaine.
reports-no-mail = Ce service n’a pas de serveur d’e-mail : aucun rapport n’est envoyé pour le moment.
reports-interval = Fréquence
reports-never = Jamais
reports-daily = Chaque jour
reports-weekly = Chaque semaine, le lundi
