batch-title = Lot
batches-title = Lots
batches-none = Il n’y a pas encore de lot de versements.
batches-waiting = attend une approbation
batches-done = terminé
batches-pending = { $count ->
    [one] { $count } versement en attente
   *[other] { $count } versements en attente
}
batch-sum = { $count ->
    [one] { $count } versement, GHS { $total } en tout
   *[other] { $count } versements, GHS { $total } en tout
}
batch-progress = { $successful } réussis, { $failed } échoués, { $pending } en attente
batch-asked-by = demandé par
batch-warnings = { $count ->
    [one] { $count } versement répète un versement précédent
   *[other] { $count } versements répètent un versement précédent
}
batch-waits = Ce lot attend l’approbation d’une deuxième personne. Rien n’est envoyé avant.
batch-own = Vous avez demandé ce lot, ou créé la clé qui l’a demandé : une autre personne doit l’approuver.
batch-approve = { $count ->
    [one] Approuver { $count } versement de GHS { $total }
   *[other] Approuver { $count } versements de GHS { $total }
}
batch-cancel = Annuler ce qui n’est pas envoyé
batch-results = Résultats en CSV
batch-line = Ligne
batch-repeats = même somme et même portefeuille qu’un versement précédent
to-batch = Voir le lot
done-batch-approved = Le lot est approuvé. Le service envoie maintenant ses versements.
done-batch-refused = Le lot est refusé. Ses versements sont terminés, et aucun argent n’a bougé.
done-batch-cancelled = Les versements qui n’étaient pas envoyés sont annulés. Les autres continuent.
fault-part-of-batch = Il fait partie d’un lot, qui est approuvé ou refusé en entier.
