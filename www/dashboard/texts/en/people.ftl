people-title = People
people-person = Person
people-role = Role
people-not-enrolled = Has not enrolled yet
