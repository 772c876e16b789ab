confirm-back = Revenir sans rien changer
confirm-refund = Rendre GH₵{ $amount } à { $who } ?
confirm-refund-verb = Rendre GH₵{ $amount } à { $who }
confirm-approve = Approuver ce versement, et envoyer GH₵{ $amount } à { $who } ?
confirm-approve-verb = Approuver, et envoyer GH₵{ $amount } à { $who }
confirm-refuse = Rejeter le versement de GH₵{ $amount } à { $who } ? Aucun argent n’est envoyé.
confirm-refuse-verb = Rejeter le versement de GH₵{ $amount } à { $who }
confirm-cancel = Annuler le versement de GH₵{ $amount } à { $who } ? C’est irréversible.
confirm-cancel-verb = Annuler le versement de GH₵{ $amount } à { $who }
confirm-batch-approve = Envoyer GH₵{ $amount } en tout, { $count ->
    [one] { $count } versement
   *[other] { $count } versements
} du lot « { $who } » ?
confirm-batch-approve-verb = Approuver, et envoyer GH₵{ $amount } en tout
confirm-batch-refuse = Rejeter le lot « { $who } » de GH₵{ $amount }, { $count ->
    [one] { $count } versement
   *[other] { $count } versements
} ?
confirm-batch-refuse-verb = Rejeter le lot de GH₵{ $amount }
confirm-batch-cancel = Arrêter { $count ->
    [one] le versement du lot « { $who } » qui n’est pas envoyé
   *[other] les { $count } versements du lot « { $who } » qui ne sont pas envoyés
}, GH₵{ $amount } en tout ? C’est irréversible.
confirm-batch-cancel-verb = Arrêter des versements de GH₵{ $amount }
confirm-settle-successful = Enregistrer GH₵{ $amount } de { $who } comme réussi ? C’est irréversible.
confirm-settle-successful-verb = Enregistrer GH₵{ $amount } de { $who } comme réussi
confirm-settle-failed = Enregistrer GH₵{ $amount } de { $who } comme échoué ? C’est irréversible.
confirm-settle-failed-verb = Enregistrer GH₵{ $amount } de { $who } comme échoué
confirm-close-day = Clôturer la journée { $who }, et en valider les chiffres ? C’est irréversible.
confirm-close-day-verb = Clôturer { $who }
confirm-revoke = Révoquer la clé { $who } ? Ce qui l’utilise s’arrête aussitôt, et les paiements qu’elle a ouverts sont fermés. C’est irréversible.
confirm-revoke-verb = Révoquer la clé { $who }
confirm-remove-person = Retirer { $who } de ce compte ? La personne en est aussitôt déconnectée.
confirm-remove-person-verb = Retirer { $who }
confirm-reset = Créer un nouveau lien de connexion pour { $who } ? La personne est aussitôt déconnectée partout. Le mot de passe, les codes et les clés d’accès actuels cessent de fonctionner quand le lien est utilisé.
confirm-reset-verb = Créer un nouveau lien pour { $who }
confirm-remove-channel = Retirer { $who } ? Ce qui attend ne lui est pas envoyé. C’est irréversible.
confirm-remove-channel-verb = Retirer { $who }
confirm-remove-endpoint = Supprimer le point { $who } ? Les événements en attente ne lui sont plus envoyés. C’est irréversible.
confirm-remove-endpoint-verb = Supprimer le point { $who }
confirm-close-link = Fermer le lien « { $who } » ? Personne ne peut plus payer avec lui, et qui a sa page ouverte ne peut plus commencer de paiement.
confirm-close-link-verb = Fermer le lien « { $who } »
confirm-close-checkout = Fermer la session { $who } ? Son payeur ne peut plus commencer de paiement.
confirm-close-checkout-verb = Fermer la session { $who }
confirm-role = Donner à { $who } le rôle { $what } ?
confirm-role-verb = Donner à { $who } le rôle { $what }
confirm-lift = Relever ces limites, comme { $who } l’a demandé ?
confirm-lift-verb = Relever ces limites
confirm-refuse-lift = Refuser la demande de { $who } de relever ces limites ? Elles restent comme elles sont.
confirm-refuse-lift-verb = Refuser la demande de { $who }
confirm-own-lift = Relever ces limites de { $who } ? Si une autre personne doit l’approuver, elle est prévenue.
confirm-own-lift-verb = Relever ces limites de { $who }
confirm-payment = Sur le paiement
confirm-payment-left = Reste ensuite
