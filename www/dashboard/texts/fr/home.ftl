nav-home = Accueil
range-week = Cette semaine
range-month = Ce mois
range-unreadable = Les jours n’ont pas été compris. Voici les chiffres de la période « { $from } – { $to } ».
range-wrong-order = Le premier jour est après le dernier. Voici les chiffres de la période « { $from } – { $to } ».
range-too-long = Une page contient dix ans au plus. Voici les chiffres de la période « { $from } – { $to } ».
home-moved-CHARGE = Argent reçu
home-moved-PAYOUT = Argent versé
home-moved-REFUND = Remboursé aux payeurs
home-kept = Reste après les frais
home-kept-fees = frais : { $amount }
home-kept-today = { $amount } après les frais
home-kept-unknown = inconnu
home-fees-unknown = { $count ->
    [one] les frais de { $count } paiement ne sont pas connus
   *[other] les frais de { $count } paiements ne sont pas connus
}
home-failures = Pourquoi des paiements ont échoué
home-failures-payers = Du côté des payeurs
home-failures-others = De votre côté ou chez l’opérateur
failures-or-more = { $count } ou plus
home-out = Argent sorti
home-waiting = En attente de vous
home-pending = { $count ->
    [one] { $count } en cours
   *[other] { $count } en cours
}
home-plot = Argent de chaque jour
home-table = Tableau des jours
home-table-help = Les réussis et les échoués comptent paiements, versements et remboursements.
home-all-successful = Tous les réussis
home-all-failed = Tous les échoués
home-export = Télécharger les totaux de ces jours
home-export-help = Une ligne par jour, opérateur et type de paiement, comme dans vos comptes : au jour où l’argent a bougé. Le tableau ci-dessus compte au jour où chaque paiement a commencé.
home-networks = Réseaux
home-balances = Argent chez les opérateurs
home-balance-read = { $minutes ->
    [0] lu à l’instant
    [one] lu il y a { $minutes } minute
   *[other] lu il y a { $minutes } minutes
}
home-success-rate = Paiements réussis
column-day = Jour
availability-OPERATIONAL = fonctionne
availability-DEGRADED = fonctionne en partie
availability-DOWN = en panne
availability-NONE = non disponible
range-today = Aujourd’hui
range-yesterday = Hier
range-last-month = Le mois dernier
home-today = { $weekday } { $date }
home-money-today = Argent reçu aujourd’hui
home-nothing-before = À la même heure { $day } dernier, rien n’était encore arrivé.
home-before-whole = { $amount } pendant toute la journée de { $day } dernier.
home-before-same = Autant que { $day } dernier à la même heure.
home-before-more = { $difference } de plus que { $day } dernier à la même heure ({ $amount }).
home-before-less = { $difference } de moins que { $day } dernier à la même heure ({ $amount }).
home-nothing-waits = Rien ne vous attend.
to-do-flagged = { $count ->
    [one] { $count } paiement demande votre décision
   *[other] { $count } paiements demandent votre décision
}
to-do-flagged-action = Décider
waits-for-others = { $count ->
    [one] { $count } demande de votre part attend une autre personne
   *[other] { $count } demandes de votre part attendent une autre personne
}
to-do-unapproved = { $count ->
    [one] { $count } versement ou lot attend votre approbation
   *[other] { $count } versements ou lots attendent votre approbation
}
to-do-unapproved-action = Les voir
to-do-lift = Un changement qui relève des limites attend votre décision
to-do-lift-action = Le voir
to-do-endpoints = { $count ->
    [one] { $count } point de webhook est désactivé
   *[other] { $count } points de webhook sont désactivés
}
to-do-endpoints-action = Les voir
to-do-failing = { $count ->
    [one] { $count } point de webhook est en échec
   *[other] { $count } points de webhook sont en échec
}
to-do-failing-action = Les voir
to-do-statements = { $count ->
    [one] { $count } relevé ne concorde pas avec les paiements
   *[other] { $count } relevés ne concordent pas avec les paiements
}
to-do-statements-action = Voir les écarts
to-do-uncertain = { $count ->
    [one] { $count } paiement n’est pas confirmé par l’opérateur, ou est en retard
   *[other] { $count } paiements ne sont pas confirmés par l’opérateur, ou sont en retard
}
to-do-uncertain-action = Voir pourquoi
home-period = Argent reçu et sorti
home-other-days = D’autres jours
home-compared = comparé à
home-until = jusqu’à { $time }
home-before = avant : { $amount }
home-before-percent = avant : { $percent } %
home-failed = { $count ->
    [one] { $count } échoué
   *[other] { $count } échoués
}
home-successful = { $count ->
    [one] { $count } réussi
   *[other] { $count } réussis
}
home-plot-empty = Aucun paiement pendant ces jours.
plot-in = reçu { $amount }
plot-out = sorti { $amount }
plot-before = reçu avant { $amount }
plot-key-before = Argent reçu avant
home-newest = Derniers paiements
home-all-payments = Tous les paiements
home-charges-OPERATIONAL = les paiements fonctionnent
home-charges-DEGRADED = les paiements fonctionnent en partie
home-charges-DOWN = les paiements ne fonctionnent pas
home-charges-NONE = pas de paiements
home-payouts-OPERATIONAL = les versements fonctionnent
home-payouts-DEGRADED = les versements fonctionnent en partie
home-payouts-DOWN = les versements ne fonctionnent pas
home-payouts-NONE = pas de versements
home-no-charges = aucun paiement pendant ces jours
home-rate = { $percent } % de réussite
