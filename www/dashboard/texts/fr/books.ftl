nav-monthly-report = Rapport mensuel
books-title = Rapport mensuel
books-help = L’argent qui a bougé pendant un mois, pour votre comptabilité. Chaque paiement compte le jour où son argent a bougé. Les jours sont ceux du Ghana (GMT).
month-of-year-1 = janvier { $year }
month-of-year-2 = février { $year }
month-of-year-3 = mars { $year }
month-of-year-4 = avril { $year }
month-of-year-5 = mai { $year }
month-of-year-6 = juin { $year }
month-of-year-7 = juillet { $year }
month-of-year-8 = août { $year }
month-of-year-9 = septembre { $year }
month-of-year-10 = octobre { $year }
month-of-year-11 = novembre { $year }
month-of-year-12 = décembre { $year }
books-so-far = { $month }, mois en cours
books-previous = Mois précédent
books-next = Mois suivant
books-month = Mois
books-show = Afficher
books-unreadable = Le mois n’a pas été compris, ou n’a pas commencé. Choisissez-le à nouveau.
books-preparing = Les sommes des jours antérieurs sont en cours de calcul ; elles vont jusqu’au { $day }. Cette page se recharge d’elle-même jusqu’à ce qu’elles soient complètes.
books-download = Télécharger
download-pdf = PDF
books-days-finished = Du { $from } au { $to }, comparé avec tout le mois précédent, qui va du { $before_from } au { $before_to } inclus.
books-days-running = Du { $from } au { $to }. Le mois n’est pas terminé, et aujourd’hui compte jusqu’à maintenant. Il est comparé avec les mêmes jours entiers du mois précédent, du { $before_from } au { $before_to }.
books-summary = L’argent du mois
books-item = Poste
books-this = Ce mois
books-before = Avant
books-change = Différence
books-in = Encaissé
books-kept = Reste après les frais
books-failures-payers = Pourquoi des paiements ont échoué : du côté des payeurs
books-failures-others = Pourquoi des paiements ont échoué : de votre côté ou chez l’opérateur
books-reason = Raison
books-refunds = Remboursements
books-payouts = Versements
books-fees = Frais
books-unknown = inconnu
books-fees-partly = { $amount }, { $count } inconnus
books-fees-unknown = { $count ->
    [one] Les frais de { $count } paiement ne sont pas connus. Le net est avant ces frais.
   *[other] Les frais de { $count } paiements ne sont pas connus. Le net est avant ces frais.
}
books-fees-unknown-before = { $count ->
    [one] Pour le mois précédent, les frais de { $count } paiement ne sont pas connus.
   *[other] Pour le mois précédent, les frais de { $count } paiements ne sont pas connus.
}
books-net = Net
books-count = Paiements
books-count-refunds = Nombre de remboursements
books-count-payouts = Nombre de versements
books-net-help = Le net est l’encaissé, moins les remboursements, les versements et les frais.
books-begun-same = L’accueil compte au jour où l’opération a commencé : encaissé, remboursements et versements y ont les mêmes sommes.
books-begun-same-of = { $items } : mêmes sommes à l’accueil.
books-begun-differs = { $item } : l’accueil compte au jour où l’opération a commencé, et a { $amount }. Écart de { $difference } : opérations commencées un autre mois que celui du mouvement d’argent, et corrections.
books-by-network = Par réseau
books-network = Réseau
books-by-operator = Par opérateur
books-operator = Opérateur
books-total = Total
books-none = Rien n’a été comptabilisé ces jours-là.
books-floats = Argent chez les opérateurs
books-floats-help = Selon le grand livre de Tua, qui commence à zéro : ce qu’un portefeuille contenait avant, et ce que vous déplacez sans Tua, n’y figure pas.
books-line = Ligne
books-opening = Avant le { $day }
books-closing = Après le { $day }
books-closing-now = Maintenant
books-less-fees = moins les frais
books-less-refunds = moins les remboursements
books-less-payouts = moins les versements
books-in-transit = Versements et remboursements en cours
books-suspense = Pas encore décidé
books-difference = Différence inexpliquée
books-agreement = Ce qui ne concorde pas
books-agreement-help = Les journées clôturées ont été comparées avec les relevés de l’opérateur lors de la clôture. Les autres ne sont pas comparées dans ce rapport.
books-agrees = Comparé : { $days }, et rien n’a été trouvé qui ne concorde pas.
books-compared = Comparé : { $days }
books-not-compared = Rien n’a été comparé.
books-differs = { $count ->
    [one] { $day } : { $count } ligne ou paiement ne concordait pas à la clôture.
   *[other] { $day } : { $count } lignes et paiements ne concordaient pas à la clôture.
}
books-changed = Le grand livre a maintenant d’autres écritures que lors de la clôture de ces journées : { $days }
books-empty-days = Clôturé, et il n’y avait rien à comparer : { $days }
books-open-with = Pas clôturé, donc pas comparé ici ; un relevé a été importé : { $days }
books-open-without = Pas clôturé, et aucun relevé n’a été importé : { $days }
books-compare = Comparer le mois maintenant
books-no-ended-day = Aucune journée du mois n’est encore terminée.
books-sandbox-agreement = L’opérateur de test n’a pas de relevés : il n’y a rien à comparer.
books-hidden = Seules les personnes ayant ce rôle dans chaque boutique qui utilise l’opérateur voient ses relevés et ses journées clôturées.
books-former = L’opérateur n’est plus dans la configuration ; ses relevés ne sont donc pas comparés ici.
books-made = Établi le { $at } (GMT) par Tua
books-page = Page { $page } sur { $pages }
books-mode-live = Mode réel : argent véritable
books-mode-test = Mode test : aucun argent véritable
books-amount = Montant
