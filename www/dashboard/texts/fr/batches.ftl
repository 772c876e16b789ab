batch-title = Payer plusieurs personnes :
batches-new = Choisir un fichier
batches-title = Payer plusieurs personnes
batches-none = Pas encore de lot. Commencez par un fichier qui a un numéro et un montant par ligne.
batches-waiting = attend une approbation
batches-all-paid = tout est versé
batches-not-approved = pas approuvé, rien n’est parti
batch-not-approved = { $count ->
    [one] { $count } versement n’a pas été approuvé : rien n’a été envoyé.
   *[other] { $count } versements n’ont pas été approuvés : rien n’a été envoyé.
}
batch-declined = Rejeté par { $who } : { $note }
batches-some-failed = { $paid } sur { $count } versés, { $failed } en échec
batches-pending = { $count ->
    [one] { $count } versement en cours
   *[other] { $count } versements en cours
}
batch-sum = { $count ->
    [one] { $count } versement, GH₵{ $total } en tout
   *[other] { $count } versements, GH₵{ $total } en tout
}
batch-progress = { $successful ->
    [one] { $successful } réussi
   *[other] { $successful } réussis
}, { $failed ->
    [one] { $failed } échoué
   *[other] { $failed } échoués
}, { $pending } en cours
batch-fees = Frais des opérateurs selon leurs tarifs : GH₵{ $fees }
batch-asked-by = demandé par
batch-asked-by-key = demandé avec la clé
batch-asked-on-console = demandé sur la ligne de commande
batch-warnings = { $count ->
    [one] { $count } versement répète un versement précédent
   *[other] { $count } versements répètent un versement précédent
}
batch-waits = Ce lot attend l’approbation d’une deuxième personne. Rien n’est envoyé avant.
batch-own = Vous avez demandé ce lot, ou créé la clé qui l’a demandé : une autre personne doit l’approuver.
batch-approve = { $count ->
    [one] Approuver { $count } versement de GH₵{ $total }
   *[other] Approuver { $count } versements de GH₵{ $total }
}
batch-cancel = Arrêter les versements qui ne sont pas envoyés
batch-results = Résultats en CSV
batch-line = Ligne
upload-line-fault = { $count ->
    [one] Ligne { $lines } : { $text }
   *[other] Lignes { $lines } : { $text }
}
upload-many-lines-fault = { $more ->
    [one] Lignes { $lines } et { $more } autre : { $text }
   *[other] Lignes { $lines } et { $more } autres : { $text }
}
batch-number = Versement
batch-again-help = Aucun argent n’a bougé pour ceux en échec. Vous revoyez d’abord chaque ligne, et pouvez la corriger.
batch-again = { $count ->
    [one] Verser de nouveau celui en échec
   *[other] Verser de nouveau les { $count } en échec
}
batch-repeats = même somme et même portefeuille qu’un versement précédent
to-batch = Voir le lot
done-batch-approved = Le lot est approuvé. Le service envoie maintenant ses versements.
done-batch-refused = Le lot a été rejeté. Ses versements sont terminés, et aucun argent n’a bougé.
done-batch-cancelled = Les versements qui n’étaient pas envoyés sont annulés. Les autres continuent.
fault-part-of-batch = Il fait partie d’un lot, qui est approuvé ou rejeté en entier.
upload-title = Payer plusieurs personnes avec un fichier
upload-help = Un classeur (.xlsx) ou un tableau enregistré en CSV, 1 000 lignes au plus. La première ligne contient les noms des colonnes. Le nom est comparé à celui que l’opérateur a enregistré, et affiché à côté du numéro jusqu’à la décision.
upload-columns-required = Nécessaires : Téléphone, Montant
upload-columns-optional = Si vous voulez : Réseau (sinon il est déduit du numéro), Nom, Référence, Motif
upload-example = Télécharger un exemple à remplir
upload-missing-phoneNumber = Il manque une colonne avec les numéros de téléphone : nommez-la Téléphone.
upload-missing-network = Il manque une colonne avec les réseaux : nommez-la Réseau.
upload-missing-amount = Il manque une colonne avec les montants : nommez-la Montant.
upload-guessed-networks = { $count ->
    [one] { $count } ligne n’a pas de réseau : il est déduit du numéro. Un numéro peut être chez un autre réseau : vérifiez-le.
   *[other] { $count } lignes n’ont pas de réseau : il est déduit du numéro. Un numéro peut être chez un autre réseau : vérifiez-les.
}
line-guessed-network = réseau déduit du numéro
upload-name = Votre nom pour le lot, par exemple un mois
upload-file = Fichier
upload-footer = Lignes sous le tableau à ignorer, d’après leur début, par exemple : Total; Préparé par
upload-paste = Ou collez les lignes ici
upload-check = Vérifier les lignes
upload-check-help = Rien n’est encore envoyé. Vous voyez d’abord chaque ligne et la somme.
upload-lines = Lignes du fichier
upload-result = Résultat de la vérification
batch-name = Nom : { $name }
batch-note = Motif
upload-faulty = { $count ->
    [one] { $count } ligne a une erreur. Rien n’est envoyé tant que chaque ligne n’est pas correcte.
   *[other] { $count } lignes ont des erreurs. Rien n’est envoyé tant que chaque ligne n’est pas correcte.
}
upload-needs-approval = La somme dépasse votre limite : une deuxième personne doit approuver le lot avant tout envoi.
upload-sent-at-once = Aucune autre approbation n’est nécessaire : le service envoie les versements tout de suite.
upload-confirm = { $count ->
    [one] Payer GH₵{ $total } en tout à { $count } personne
   *[other] Payer GH₵{ $total } en tout à { $count } personnes
}
upload-ask = { $count ->
    [one] Envoyer { $count } versement de GH₵{ $total } pour approbation
   *[other] Envoyer { $count } versements de GH₵{ $total } pour approbation
}
approvers-limit = Les versements de plus de GH₵{ $amount } demandent une deuxième personne.
approvers-limit-was-lower = Ce lot a été demandé quand la limite était plus basse : il attend donc toujours une deuxième personne. La limite est maintenant de GH₵{ $amount }.
approvers-people = Qui peut approuver : { $people }.
approvers-none = Personne d’autre dans ce compte ne peut approuver des versements. Invitez une deuxième personne avec le rôle Finances, Administrateur ou Propriétaire, ou envoyez moins à la fois.
approvers-invite = Inviter une deuxième personne
approvers-change-limit = Changer la limite
upload-correct = Corrigez les lignes ici, ou choisissez un autre fichier
upload-again = Choisir un autre fichier
upload-not-text = Le fichier n’est ni un classeur (.xlsx) ni un texte. Enregistrez-le en .xlsx ou en CSV. Rien n’a commencé.
upload-old-workbook = Le fichier est un ancien classeur (.xls), ou a un mot de passe. Enregistrez-le en .xlsx sans mot de passe. Rien n’a commencé.
upload-not-a-workbook = Le classeur est illisible. Enregistrez-le de nouveau en .xlsx ou en CSV. Rien n’a commencé.
upload-workbook-too-large = Le classeur est trop grand une fois décompressé. Supprimez ce qui n’en fait pas partie, ou enregistrez-le en CSV. Rien n’a commencé.
upload-beyond-sheet = Le classeur nomme une cellule qu’aucune feuille n’a. Enregistrez-le de nouveau avec un tableur, ou en CSV. Rien n’a commencé.
upload-too-many-columns = Le classeur a un texte loin à droite du tableau. Supprimez-le. Rien n’a commencé.
upload-several-sheets = Plusieurs feuilles du classeur ont des lignes : { $names }. Choisissez de nouveau le fichier et indiquez la feuille, ou supprimez les autres. Rien n’a commencé.
upload-no-sheet = Le classeur n’a pas de feuille de ce nom. Il a { $names }. Rien n’a commencé.
upload-sheet = Feuille du classeur
upload-unreadable-header = La ligne { $names }, celle des noms des colonnes, a un guillemet qui n’est pas fermé. Rien n’a commencé.
upload-no-header = Le fichier a { $names }. Rien n’a commencé.
upload-column-twice = Deux colonnes ont le même nom ou le même sens : { $names }. Supprimez l’une d’elles. Rien n’a commencé.
upload-renamed-networks = { $count ->
    [one] { $count } ligne nomme autrement son réseau. Vérifiez comment il a été lu.
   *[other] { $count } lignes nomment autrement leur réseau. Vérifiez comment il a été lu.
}
file-lines = { $total ->
    [one] { $total } ligne dans le fichier
   *[other] { $total } lignes dans le fichier
} : { $read ->
    [one] { $read } lue
   *[other] { $read } lues
}, { $leftOut ->
    [one] { $leftOut } laissée de côté
   *[other] { $leftOut } laissées de côté
} (noms des colonnes, lignes vides, etc.), { $refused ->
    [one] { $refused } refusée
   *[other] { $refused } refusées
}
upload-too-many = Le fichier a plus de 1 000 lignes. Divisez-le.
upload-empty = Le fichier n’a aucune ligne. Rien n’a commencé.
upload-reference = Le nom du lot peut avoir au plus 64 caractères sur une ligne.
upload-suspended = Le compte est suspendu : rien ne peut être envoyé. Rien n’a commencé.
upload-later = Le service est occupé. Rien n’a commencé ; réessayez dans une minute.
upload-day-limit = La somme dépasse ce que la limite du jour permet encore. Rien n’a commencé.
line-phone = Ce n’est pas un numéro mobile du Ghana.
line-phone-shortened = Le tableur a raccourci ce numéro, et ses derniers chiffres sont perdus. Formatez la colonne en texte et saisissez de nouveau le numéro.
line-unclosed-quote = Un guillemet s’ouvre dans la colonne { $column } et n’est pas fermé dans cette ligne. Fermez-le ou supprimez-le.
line-text-after-quote = Un texte suit le guillemet fermant de la colonne { $column }. Doublez un guillemet à l’intérieur d’une cellule.
line-beyond-header = La colonne { $column } a un texte, mais pas de nom. Une somme avec une virgule doit être entre guillemets, ou s’écrire sans virgule.
line-unnamed-column = La colonne { $column } a un texte, mais pas de nom.
line-too-few-cells = La ligne a moins de colonnes que la première, la fin du fichier manque peut-être.
line-after-footer = La ligne suit la fin du tableau.
line-hidden = Cette ligne est masquée dans le classeur. Affichez-la ou supprimez-la.
line-phone-decimal = C’est un nombre décimal ou négatif. Formatez la colonne en texte et saisissez de nouveau le numéro.
line-formula = La colonne { $column } a une formule sans valeur. Ouvrez le fichier dans le tableur et enregistrez-le de nouveau.
line-cell-error = La colonne { $column } a une erreur comme #N/A, ou était trop étroite pour son texte. Corrigez la cellule.
line-amount-shortened = Le tableur a raccourci cette somme. Formatez la colonne en nombre avec deux décimales.
line-network-name = Écrivez MTN, TELECEL ou AIRTELTIGO.
line-renamed-network = « { $written } » est lu comme { $network }
line-network = Le réseau doit être MTN, TELECEL ou AIRTELTIGO.
line-amount = La somme doit être supérieure à 0, avec au plus 2 décimales.
line-amount-comma = La virgule ou le point peut commencer les décimales ou grouper les milliers. Écrivez la somme avec deux décimales, par exemple 1234.50.
line-reference = La référence peut avoir au plus 64 caractères.
line-note = La note peut avoir au plus 160 caractères.
line-limit = C’est plus qu’un versement ne peut être.
line-amount-range = Il est hors de ce que les opérateurs versent en une fois.
line-network-ended = Ce réseau n’existe plus. Demandez au bénéficiaire à quel réseau son numéro appartient maintenant.
line-no-operator = Aucun opérateur ne prend maintenant les versements vers ce réseau.
line-repeats-line = même somme et même portefeuille que la ligne { $line }
line-other-prefix = ces numéros appartiennent souvent à un autre réseau
recipient-registered = Enregistré au nom de { $name }
recipient-agrees = Enregistré au nom de { $name }, comme dans le fichier
recipient-differs = Enregistré au nom de { $name }, qui n’est pas le nom du fichier
recipient-no-wallet = L’opérateur ne connaît aucun portefeuille avec ce numéro
recipient-unknown = L’opérateur n’a pas donné le nom enregistré
recipient-not-asked = Le nom n’a pas été demandé : seuls ceux des 50 premiers portefeuilles le sont
recipients-doubtful = { $count ->
    [one] { $count } ligne est à vérifier : le nom enregistré diffère, ou il n’y a aucun portefeuille avec le numéro.
   *[other] { $count } lignes sont à vérifier : le nom enregistré diffère, ou il n’y a aucun portefeuille avec le numéro.
}
recipients-not-offered = Aucun opérateur ne donne le nom enregistré de certains de ces portefeuilles. Vérifiez les numéros avec les bénéficiaires.
done-batch-begun = Le lot a été reçu. Cette page montre ce que devient chaque versement.
nav-batches = Payer plusieurs personnes
batches-help = Payez plusieurs personnes à partir d’un fichier : salaires, fournisseurs, prix.
