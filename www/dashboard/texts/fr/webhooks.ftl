nav-webhooks = Webhooks
webhooks-none = Il n’y a pas de point. Ajoutez l’adresse de votre serveur pour recevoir des événements.
webhooks-secret = Voici le secret. Il n’est affiché qu’une fois ; utilisez-le pour vérifier les signatures.
webhooks-disabled = Désactivé depuis
webhooks-failing = { $attempts ->
    [one] Il est en échec : la dernière tentative, à { $at }, n’a pas réussi.
   *[other] Il est en échec : la dernière tentative, à { $at }, n’a pas réussi. C’était la tentative { $attempts } de cet événement.
}
webhooks-failing-status = Votre serveur a répondu HTTP { $status }.
webhooks-overlap = L’ancien secret signe aussi jusqu’au
webhooks-overlap-hours = Heures pendant lesquelles l’ancien secret signe aussi
webhooks-rotate = Nouveau secret
webhooks-ping = Envoyer un événement de test
webhooks-enable = Activer
webhooks-enable-resend = Envoyer les événements entre-temps
webhooks-disable = Désactiver
webhooks-remove = Retirer
webhooks-add-title = Ajouter un point
webhooks-url = Adresse
webhooks-url-fault = L’adresse n’est pas autorisée :
webhooks-add = Ajouter
deliveries-title = Envois de webhooks
deliveries-none = Il n’y a pas d’envoi.
deliveries-newest = Les { $most } plus récents sont affichés.
deliveries-next = prochain essai
deliveries-resend-failed = Renvoyer tous ceux qui ont échoué
deliveries-resend-failed-of-period = Renvoyer ceux de cette période qui ont échoué
deliveries-resend = Renvoyer
resend-all = Tout renvoyer
column-event = Événement
column-attempts = Essais
column-response = Réponse
delivery-PENDING = En attente
delivery-DELIVERED = Livré
delivery-FAILED = Échoué
