people-title = Personnes
people-person = Personne
people-role = Rôle
people-not-enrolled = Pas encore inscrit
