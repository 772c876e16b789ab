nav-review = À vérifier
review-help = Personne ne connaît l’issue de ces paiements, ou elle est contredite. Ouvrez-en un pour voir les preuves et décider.
review-none = Aucun paiement n’attend de décision.
column-since = Depuis
column-case = Pourquoi
case-undecided = L’opérateur n’a pas donné de réponse définitive pendant un jour
case-unserved = Les réglages n’ont plus son opérateur
case-blocked = Le remboursement n’a pas été envoyé : le payeur a peut-être déjà l’argent
case-needs_attention = L’opérateur attend que vous agissiez
case-refund_in_doubt = L’opérateur a refusé un remboursement, et l’argent est peut-être déjà revenu
case-mismatch = Une autre somme que celle demandée
case-conflict = L’opérateur contredit l’état définitif
case-dispute = Le payeur le conteste
nav-payouts = Approbations
payouts-help = Un versement au-dessus de votre limite n’est envoyé qu’après l’approbation d’une deuxième personne. Vérifiez le bénéficiaire et la somme.
payouts-all = Tous les versements
payouts-until = À approuver au plus tard :
float-short = { $operator } avait GH₵{ $float } pour les versements il y a { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}.
float-reserved = De cette somme, GH₵{ $reserved } sont pour des versements approuvés et pas encore envoyés.
float-missing = Il faut GH₵{ $needed } avec les frais connus : GH₵{ $missing } de plus que ce qui reste. Vous pouvez continuer, mais l’opérateur peut refuser.
tier-above-lowest = Plus de GH₵3 000 par jour : un portefeuille du premier niveau ne peut pas les recevoir.
tier-highest-only = Plus de GH₵15 000 par jour : seul un portefeuille du niveau le plus élevé peut les recevoir.
tier-above-every = Plus de GH₵25 000 par jour : aucun portefeuille personnel ne peut les recevoir, selon les règles de la Banque du Ghana.
payouts-for-you = { $count ->
    [0] Rien ici n’attend votre décision.
    [one] { $count } demande attend votre décision.
   *[other] { $count } demandes attendent votre décision.
}
payouts-none = Rien n’attend d’approbation.
payouts-approve = Approuver
payouts-refuse = Rejeter
refusal-note = Pourquoi vous rejetez
fault-own-payout = Vous l’avez demandé, ou vous avez créé la clé qui l’a demandé : une autre personne doit l’approuver.
fault-limit = Il dépasse une limite du compte. Il reste en attente.
fault-key-revoked = La clé qui l’a demandé est révoquée.
fault-unroutable = Aucun opérateur ne le prend maintenant. Il reste en attente.
fault-charge-not-refundable = Le paiement à rembourser est contesté, ou son opérateur le contredit. Le remboursement reste en attente. Décidez d’abord du cas dans « À vérifier ».
fault-suspended = Le compte est suspendu. Il reste en attente.
fault-not-waiting = Il n’attend plus d’approbation. Rien n’a été modifié.
nav-checkouts = Paiements ouverts
checkouts-search = Identifiant ou référence
checkouts-help = Des clients les ont ouverts. Ceux qui ne sont pas payés peuvent encore l’être.
checkouts-all-open = Tous les paiements ouverts
checkouts-none = Aucun paiement ouvert trouvé.
column-expires = Expire
column-action = Action
close-checkout = Fermer
to-payment = Vers le paiement
checkout-OPEN = Ouverte
checkout-PAID = Payée
checkout-EXPIRED = Expirée
checkout-CLOSED = Fermée
payouts-show = Voir le versement
