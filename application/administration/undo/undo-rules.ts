import { blocklists, underscored } from '../../../domain/blocklist-entry/lists.ts'
import { undoOnAdminKey } from './of-admin-keys.ts'
import { undoOnAddress } from './of-addresses.ts'
import { undoOnAccount } from './of-accounts.ts'
import { undoOnBlocklist } from './of-blocklists.ts'
import { undoApplicationClaim, undoEdit, undoListing, undoMove } from './of-directory.ts'
import { undoFeatures, undoOnGuild, undoOwner, undoVanityUrl } from './of-guilds.ts'
import { undoOnLimits, undoOnPolicy } from './of-instance.ts'
import { undoOnMember } from './of-members.ts'
import { undoNewRegistrationUrl } from './of-registration-urls.ts'
import { undoOnReport } from './of-reports.ts'
import type { FindUndoing, UndoRule } from './undo-rule.ts'

const takenBack = (says: string, find: FindUndoing): UndoRule => ({ says, find })
const never = (why: string): UndoRule => ({ never: why })

const onUsers: Readonly<Record<string, UndoRule>> = {
  temp_ban: takenBack('The ban is lifted. A ban that it replaced does not come back, nor do sessions.', undoOnAccount),
  schedule_deletion: takenBack('The deletion is cancelled. One that it replaced does not come back.', undoOnAccount),
  update_flags: takenBack('The flags that it changed are changed back, others stay.', undoOnAccount),
  update_premium_flags: takenBack('The flags that it changed are changed back, others stay.', undoOnAccount),
  set_traits: takenBack('The account has the traits from before again.', undoOnAccount),
  set_acls: takenBack('The account has the ACLs from before again.', undoOnAccount),
  set_bot_status: takenBack('The status is set back, unless it was a system account too.', undoOnAccount),
  set_system_status: takenBack('The status is set back.', undoOnAccount),
  change_dob: takenBack('The date of birth from before comes back, if there was one.', undoOnAccount),
  unban: never('A ban is given by hours from now, so the old end cannot be had again: ban the account anew.'),
  cancel_deletion: never('A deletion is due by days from now, so the old day cannot be had again: schedule it anew.'),
  auto_resolve_reports_on_deletion: never('A report is resolved once, for good.'),
  change_username: never(
    'The old name is free for others from then on, and who has it again gets another number: change the name by hand.',
  ),
  change_email: never('The old address would come back unverified, which it may not have been: change it by hand.'),
  verify_email: never('Nothing takes back that an address is verified, but changing the address does.'),
  clear_fields: never('What was cleared is not kept, and only its holder writes a profile.'),
  delete_webauthn_credential: never('The passkey is gone from the server: its holder can add one.'),
  disable_mfa: never('The secrets of the second factors are gone: their holder can set up new ones.'),
  revoke_recovery_kit: never('The key of the recovery kit is gone: its holder can make a new one.'),
  terminate_sessions: never('A session that has ended does not begin again: its holder can sign in.'),
  remove_relationship: never('A friendship takes two people, and a block the one who wanted it.'),
  remove_relationships_by_category: never('A friendship takes two people, and a block the one who wanted it.'),
  resend_verification_email: never('A mail that was sent cannot be called back.'),
  send_password_reset: never('A mail that was sent cannot be called back; its link ends by itself.'),
  create_password_reset_link: never(
    'Whoever has the link may have used it, and the recovery kit is gone; it ends by itself.',
  ),
  refresh_store_purchases: never('It only took over what the stores say.'),
}

const onMessages: Readonly<Record<string, UndoRule>> = {
  delete_all_user_messages: never('Deleted messages are gone. A job that still runs can be cancelled.'),
  queue_message_shred: never('Shredded messages are gone. A job that still runs can be cancelled.'),
  cancel_bulk_message_deletion: never('Only the holder of the account schedules such a deletion.'),
}

const onBlocklists: Readonly<Record<string, UndoRule>> = {
  ...Object.fromEntries(
    blocklists.map(underscored).flatMap((list) => [
      [
        `ban_${list}`,
        takenBack(
          'New values are removed, and those that it replaced have their details from before again.',
          undoOnBlocklist,
        ),
      ],
      [`unban_${list}`, takenBack('The values are added again with the details that they had.', undoOnBlocklist)],
    ]),
  ),
  ban_ip: takenBack(
    'A new address is removed, one that it replaced has its details from before again, and a ban of a network is lifted.',
    undoOnAddress,
  ),
  ban_file_sha: takenBack(
    'New hashes are removed, and those that it replaced have their details from before again, many by a job. A job is taken back once it has ended.',
    undoOnBlocklist,
  ),
  unban_ip: takenBack(
    'The address is added again with the details that it had. A ban of its network that was lifted does not come back.',
    undoOnAddress,
  ),
  update_blocklist_entry: takenBack('The details that it changed are changed back, others stay.', undoOnBlocklist),
}

const onAdminKeys: Readonly<Record<string, UndoRule>> = {
  create_admin_api_key: takenBack('The key is deleted, by the account that made it.', undoOnAdminKey),
  update_admin_api_key: takenBack(
    'The name and the ACLs that it changed are changed back, by the account that made the key.',
    undoOnAdminKey,
  ),
  delete_admin_api_key: never(
    'A deleted key never comes back, since nobody else has its text: its holder makes a new one.',
  ),
}

const onReports: Readonly<Record<string, UndoRule>> = {
  claim_report: takenBack('The report is released.', undoOnReport),
  release_report: takenBack('The report is claimed again, by the administrator who had claimed it.', undoOnReport),
  resolve_report: never('A report is resolved once, for good, and its reporter may have heard of it.'),
}

const onDirectory: Readonly<Record<string, UndoRule>> = {
  approve_discovery_application: never(
    'An application that was decided does not wait again. The listing can be removed from the directory.',
  ),
  reject_discovery_application: never('An application that was decided does not wait again. The guild can apply anew.'),
  claim_discovery_application: takenBack(
    'The application is released while the claim runs, by the administrator who claimed it.',
    undoApplicationClaim,
  ),
  release_discovery_application: never('Whether there was a claim is not kept: claim the application again.'),
  remove_discovery_listing: takenBack('The guild is listed again, as it was.', undoListing),
  restore_discovery_listing: takenBack('The listing is removed again, for the same reason.', undoListing),
  update_discovery_listing: takenBack('What it changed says again what it said before.', undoEdit),
  update_discovery_categories: takenBack('Each guild is in the category again that it was in.', undoMove),
}

const onGuilds: Readonly<Record<string, UndoRule>> = {
  update_name: takenBack(
    'The guild has its name from before again, and the settings that were changed with it.',
    undoOnGuild,
  ),
  update_settings: takenBack(
    'The settings that it changed have their values from before, others stay. An image that was taken away is deleted.',
    undoOnGuild,
  ),
  update_features: takenBack(
    'The features that it changed are changed back, others stay. A listing that was removed with its feature is listed again; one that was approved with it stays.',
    undoFeatures,
  ),
  update_vanity: takenBack(
    'The guild has its custom invite URL from before again, if nobody else has it.',
    undoVanityUrl,
  ),
  transfer_ownership: takenBack('The owner from before owns the guild again, who must be a member still.', undoOwner),
  delete_guild: never('A deleted guild is gone for good.'),
  force_add_to_guild: takenBack('The account is no member any more.', undoOnMember),
  kick_member: takenBack(
    'The account is a member again, without its roles, its nickname and all else that it had there.',
    undoOnMember,
  ),
  ban_member: takenBack(
    'The ban is lifted. One that it replaced does not come back, nor do the membership and messages that were deleted.',
    undoOnMember,
  ),
  unban_member: never('A ban says who gave it and until when, which cannot be had again: ban the account anew.'),
  rewind_guild: never(
    'A rewind is many acts of a job, and members may have acted between them: rewind the guild to a moment before it.',
  ),
}

const eachEntry = 'Each account or guild that the job changed has an entry of its own, which can be taken back.'

const others: Readonly<Record<string, UndoRule>> = {
  queue_bulk_job: never(eachEntry),
  bulk_update_user_flags: never(eachEntry),
  bulk_schedule_deletion: never(eachEntry),
  bulk_update_guild_features: never(eachEntry),
  cancel_job: never('A cancelled job does not go on: order it anew.'),
  approve_registration: never('A registration is decided once. The account can be banned, or its deletion scheduled.'),
  reject_registration: never(
    'A registration that was decided does not wait again. A rejected one can still be approved.',
  ),
  generate_gift_codes: never('A gift code is whoever has it, and may have been redeemed.'),
  test_mail_server: never('It changed nothing.'),
  trigger_user_archive: never('An archive changes nothing that could come back; it is deleted after a year.'),
  trigger_guild_archive: never('An archive changes nothing that could come back; it is deleted after a year.'),
}

const policy = takenBack(
  'The members that it changed have their values from before, others stay. An image is removed again if there was none before. A setup that was finished does not begin again, nor is a community that was founded deleted.',
  undoOnPolicy,
)
const newUrl = takenBack('The URL is revoked. Accounts that registered by it stay.', undoNewRegistrationUrl)
const revokedUrl = never('A URL that was revoked does not count again: make a new one.')

/** Acts of commands that no operation has. */
const ofCommands: Readonly<Record<string, UndoRule>> = {
  update_instance_config: policy,
  create_registration_url: newUrl,
  revoke_registration_url: revokedUrl,
  set_premium: never('What the account had before is not one value: set its premium again.'),
  seed_guild: never('A guild of trial data is deleted as any other.'),
  erase_account: never('An erased account is gone for good.'),
  prove_erasure: never('It changed nothing.'),
  replay_store_notification: never('It only took over what the store says.'),
  reconcile_stores: never('It only took over what the stores say.'),
}

/** What leaves no entry, by the type of its event. */
const withoutEntry: Readonly<Record<string, UndoRule>> = {
  InstancePolicyChanged: policy,
  LimitConfigChanged: takenBack('The rules from before count again.', undoOnLimits),
  RegistrationUrlCreated: newUrl,
  RegistrationUrlRevoked: revokedUrl,
}

/** Whether and how each changing act of administrators is taken back, by its action in the admin audit log or the type of its event. */
export const undoRules: Readonly<Record<string, UndoRule>> = {
  ...onUsers,
  ...onMessages,
  ...onBlocklists,
  ...onAdminKeys,
  ...onReports,
  ...onDirectory,
  ...onGuilds,
  ...others,
  ...ofCommands,
  ...withoutEntry,
}

export function ruleOf(name: string): UndoRule | undefined {
  return Object.hasOwn(undoRules, name) ? undoRules[name] : undefined
}
