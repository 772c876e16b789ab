//! `tua user`: manages the people who use the dashboard. It needs no sign-in, so it also works
//! after people have lost their access.

use super::{
    arguments::require_account, context::Common, fault::Fault, output, use_cases::UseCases,
};
use clap::Subcommand;
use serde::Serialize;
use std::collections::BTreeSet;
use tua_config::settings_audit;
use tua_domain::{
    AccountId,
    people::{Membership, OtherAccess, Role, RoleChanger, RoleRefusal, StaffEmail, User},
    ports::RoleError,
};
use tua_use_cases::{Inviter, PersonOfAddress};

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Give a person a role in an account, and print a link to enrol with
    Invite {
        /// The person's e-mail address
        email: StaffEmail,
        /// The id of the account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: String,
        /// owner, admin, developer, finance, accountant, support, viewer or till
        #[arg(long, value_parser = parse_role)]
        role: Role,
        /// Give the role to who has enrolled with this address through other accounts
        #[arg(long, conflicts_with = "apart")]
        enrolled_elsewhere: bool,
        /// Make an access of its own, apart from those of other accounts with this address
        #[arg(long)]
        apart: bool,
    },
    /// Print a link with which a person sets a new password and new codes
    Reset {
        /// The person's e-mail address
        email: StaffEmail,
        /// An account of the person, where several people have the address
        #[arg(long)]
        account: Option<String>,
    },
    /// List people with their roles
    List {
        /// Only the people of this account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: Option<String>,
    },
    /// Remove a person from an account; who is in no account then is deleted
    Remove {
        /// The person's e-mail address
        email: StaffEmail,
        /// The id of the account
        #[arg(long, env = "TUA_ACCOUNT")]
        account: String,
    },
}

fn parse_role(text: &str) -> Result<Role, String> {
    let roles = || Role::ALL.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ");
    Role::parse(text).ok_or_else(|| format!("it must be one of {}", roles()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EnrolmentLink<'a> {
    email: &'a str,
    /// Null if the person has enrolled, and can sign in.
    link: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberRow<'a> {
    user_id: &'a str,
    email: &'a str,
    name: Option<&'a str>,
    account_id: &'a str,
    role: &'static str,
    enrolled: bool,
}

impl<'a> MemberRow<'a> {
    fn new(member: &'a Membership) -> Self {
        Self {
            user_id: member.user.id.as_str(),
            email: member.user.email.as_str(),
            name: member.user.name.as_deref(),
            account_id: member.account.as_str(),
            role: member.role.as_str(),
            enrolled: member.user.is_enrolled,
        }
    }

    fn line(&self) -> String {
        let enrolled = if self.enrolled { "" } else { "  not enrolled" };
        format!("{}  {}  {}{enrolled}", self.email, self.account_id, self.role)
    }
}

impl Command {
    pub(super) async fn run(self, common: Common) -> Result<(), Fault> {
        let use_cases = UseCases::open(&common).await?;
        match self {
            Self::Invite { email, account, role, enrolled_elsewhere, apart } => {
                let other_access = match (enrolled_elsewhere, apart) {
                    (true, _) => OtherAccess::Join,
                    (false, true) => OtherAccess::Apart,
                    (false, false) => OtherAccess::Undecided,
                };
                invite(&common, &use_cases, &email, AccountId::new(account), role, other_access)
                    .await
            }
            Self::Reset { email, account } => {
                let user = find(&use_cases, &email, account.as_deref()).await?;
                let by = use_cases.audit_context(&common).await?;
                let enrolments = use_cases.enrolments(&common).await?;
                let path = enrolments.reset(&user, &by).await?;
                print_link(&common, &use_cases, &email, Some(path)).await
            }
            Self::List { account } => {
                list(&use_cases, &common, account.map(AccountId::new).as_ref()).await
            }
            Self::Remove { email, account } => {
                let by = use_cases.audit_context(&common).await?;
                let account = AccountId::new(account);
                use_cases
                    .members
                    .remove(&email, &account, &RoleChanger::CommandLine, &by)
                    .await
                    .map_err(|error| {
                        let message = format!("user: {error}");
                        match error {
                            RoleError::Refused(RoleRefusal::NotMember) => Fault::not_found(message),
                            _ => message.into(),
                        }
                    })?;
                let removed = EnrolmentLink { email: email.as_str(), link: None };
                output::print(&common, &removed, &format!("{email} is not in {account} any more."))
            }
        }
    }
}

async fn invite(
    common: &Common,
    use_cases: &UseCases,
    email: &StaffEmail,
    account: AccountId,
    role: Role,
    other_access: OtherAccess,
) -> Result<(), Fault> {
    require_account(&use_cases.accounts, &account).await?;
    let by = use_cases.audit_context(common).await?;
    let enrolments = use_cases.enrolments(common).await?;
    let inviter = Inviter { changer: RoleChanger::CommandLine, other_access, language: None };
    let path = match enrolments.invite(email, &account, role, &inviter, &by).await {
        Ok(path) => path,
        Err(RoleError::Refused(RoleRefusal::EnrolledElsewhere(memberships))) => {
            return Err(enrolled_elsewhere(use_cases, email, &account, &memberships).await.into());
        }
        Err(error) => return Err(format!("user: {error}").into()),
    };
    print_link(common, use_cases, email, path).await
}

/// Names the accounts through which somebody has enrolled with an address, and who invited them
/// there.
async fn enrolled_elsewhere(
    use_cases: &UseCases,
    email: &StaffEmail,
    account: &AccountId,
    memberships: &[Membership],
) -> String {
    let mut accesses = Vec::new();
    for one in memberships {
        let name = use_cases.members.account_name(&one.account).await;
        let name = name.ok().flatten().unwrap_or_default();
        let inviter = one.given_by.as_deref().unwrap_or("the command line or the sign-in provider");
        let id = &one.account;
        let role = one.role.as_str();
        accesses.push(format!("{id} ({name}) as {role}, invited by {inviter}"));
    }
    let people = memberships.iter().map(|one| &one.user.id).collect::<BTreeSet<_>>().len();
    let join = match people {
        1 => "with --enrolled-elsewhere that access gets the role too, and ",
        _ => "several people have it, so ",
    };
    format!(
        "user: nobody in {account} has the address {email}, but somebody has enrolled with it \
         through other accounts: {}; that need not be the person whom you mean: {join}with --apart \
         the person gets an access of its own",
        accesses.join("; ")
    )
}

/// The person with this address: the only one, or the one in this account.
async fn find(
    use_cases: &UseCases,
    email: &StaffEmail,
    account: Option<&str>,
) -> Result<User, Fault> {
    let found = use_cases.members.find_by_address(email, account).await;
    match (found?, account) {
        (PersonOfAddress::One(user), _) => Ok(user),
        (PersonOfAddress::Nobody, None) => {
            Err(Fault::not_found(format!("user: no person has the address {email}")))
        }
        (PersonOfAddress::Nobody, Some(account)) => {
            Err(Fault::not_found(format!("user: no person in {account} has the address {email}")))
        }
        (PersonOfAddress::Several(accounts), _) => {
            let accounts: Vec<String> = accounts.iter().map(ToString::to_string).collect();
            let accounts = accounts.join(", ");
            Err(format!(
                "user: several people have the address {email}; name an account with --account: \
                 {accounts}"
            )
            .into())
        }
    }
}

async fn print_link(
    common: &Common,
    use_cases: &UseCases,
    email: &StaffEmail,
    path: Option<String>,
) -> Result<(), Fault> {
    let origin = settings_audit::last_origin(use_cases.audit_log.log.as_ref()).await?;
    let linked =
        EnrolmentLink { email: email.as_str(), link: path.map(|path| format!("{origin}{path}")) };
    let text = match &linked.link {
        Some(link) => format!(
            "{link}\nThe link works once, for an hour. Give it to {email} over a private channel."
        ),
        None => format!("{email} has enrolled already, and can sign in at {origin}/dashboard."),
    };
    output::print(common, &linked, &text)
}

async fn list(
    use_cases: &UseCases,
    common: &Common,
    account: Option<&AccountId>,
) -> Result<(), Fault> {
    let members = use_cases.members.list(account).await?;
    let listed: Vec<MemberRow<'_>> = members.iter().map(MemberRow::new).collect();
    output::print_list(common, &listed, MemberRow::line, "There are no people.")
}
