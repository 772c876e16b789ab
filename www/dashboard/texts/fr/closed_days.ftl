day-differs = { $count ->
    [one] { $count } ligne ou paiement ne concorde pas.
   *[other] { $count } lignes et paiements ne concordent pas.
}
days-differing = Diffèrent
days-title = Journées clôturées
days-help = Une personne clôture la journée d’un opérateur quand ses chiffres sont justes. Une journée clôturée reste telle quelle : ce qui arrive plus tard est comptabilisé le jour qui suit la dernière journée clôturée.
days-next = Voir le { $day } et le clôturer
days-none-to-close = Aucune journée plus récente ne peut être clôturée maintenant.
days-upcoming = Journée du { $day } : clôture possible à partir du { $from }, une heure après la fin de la journée, quand tout ce qui y a commencé est enregistré.
days-previous = Journées antérieures : voir le { $day }, la prochaine
days-choose = Une autre journée
days-look = La voir
days-unreadable = La journée n’a pas été comprise. Choisissez-la à nouveau.
days-day = Jour
days-closed-by = Clôturé par
day-report = { $operator }, { $day }
day-closed-by = Clôturé par { $by } le { $at }
day-agrees = Les chiffres concordent toujours avec leur source.
day-disagrees = Les chiffres ne concordent plus avec leur source.
day-not-compared = Aucun relevé ne contient de ligne pour ce jour : rien n’a été comparé.
day-import = Importer ou récupérer un relevé
day-open = La journée n’est pas clôturée. Voici ses chiffres actuels.
day-ledger = Grand livre
day-opening = Avant la journée
day-posted = Pendant la journée
day-closing = Après la journée
day-entries = { $count ->
    [one] { $count } écriture du grand livre
   *[other] { $count } écritures du grand livre
}
day-lines = Lignes des relevés
day-kind = Type
day-kind-CHARGE = Paiements
day-kind-PAYOUT = Versements
day-kind-REFUND = Remboursements
day-kind-REVERSAL = Restitués par l’opérateur
day-close = Clôturer le { $day }
day-close-help = Vous validez ainsi ces chiffres. C’est irréversible.
day-close-kept = Continuer la clôture de la journée
day-sum-CHARGE = Entrées
day-sum-PAYOUT = Versé
day-sum-REFUND = Remboursé
day-sum-REVERSAL = Retourné par l’opérateur
day-sum-fees = Frais
day-sum-balance = Argent chez l’opérateur après la journée
day-first-help = Aucune journée de cet opérateur n’est encore clôturée. Le { $day } est la première : les suivantes se clôturent l’une après l’autre, et les précédentes à rebours.
done-day-closed = La journée est clôturée.
day-not-ended = Une journée peut être clôturée une heure après sa fin.
day-obstacle-not-ended = Cette journée peut être clôturée à partir du { $from } : une heure après sa fin, quand tout ce qui y a commencé est enregistré.
day-obstacle-not-next = Les journées se clôturent l’une après l’autre. La première à clôturer : { $day }
day-not-previous = Les journées antérieures se clôturent à rebours. Clôturez d’abord la veille de la première journée clôturée.
day-not-next = Clôturez d’abord les journées précédentes.
day-incomplete = L’importation d’un relevé a été interrompue. Importez d’abord le fichier de nouveau.
day-nothing = Il n’y a rien de cet opérateur jusqu’à ce jour.
day-changed = Les écritures ou les lignes de la journée ont changé entre-temps. Regardez de nouveau les chiffres.
ledger-operatorFloat = Argent chez l’opérateur
ledger-inTransit = En cours
ledger-fees = Frais
ledger-merchant = Compte du commerçant
ledger-refunds = Remboursements
ledger-suspense = Pas encore décidé
ledger-debit = D
ledger-credit = C
ledger-sides = D est un débit, C un crédit.
day-fee-none = non indiqués
ledger-fees-known = Les frais que l’opérateur n’a pas communiqués ne figurent pas dans le grand livre.
nav-closed-days = Journées clôturées
