import fc from 'fast-check'
import type { AccountCommand } from '../../domain/account/commands.js'
import type { EmailAddressCommand } from '../../domain/email-address/commands.js'
import type { GuildCommand } from '../../domain/guild/commands.js'
import { guildFeatures } from '../../domain/guild/features.js'
import type { HandleCommand } from '../../domain/handle/commands.js'
import type { InstanceCommand } from '../../domain/instance/commands.js'
import type { PolicyChanges } from '../../domain/instance/policy.js'
import { secondsAfter } from '../../domain/kernel/timestamp.js'
import type { InviteCommand } from '../../domain/invite/commands.js'
import type { MembershipCommand } from '../../domain/membership/commands.js'
import { accounts, ada, channels, code, founding, general, home, layout, moderator, roles, start } from './people.js'

/** Commands drawn from a few of each thing, so that histories meet the same things again. */

const oneOf = fc.constantFrom

/** Records as object literals make them: fast-check's own have no prototype half of the time. */
function record<Shape>(shape: { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }): fc.Arbitrary<Shape> {
  return fc.record(shape, { noNullPrototype: true })
}

const anybody = oneOf(...accounts)
/** Within half an hour, so that times meet and pass the ends of bans and invites. */
const instants = fc.integer({ min: 0, max: 30 }).map((minutes) => secondsAfter(start, minutes * 60))
const minutesOrNone = oneOf(0, 60, 600)

export const instanceCommands: fc.Arbitrary<InstanceCommand> = fc.oneof(
  record({ type: oneOf('ChangeInstancePolicy'), changes: policyChanges(), now: instants }),
  record({
    type: oneOf('FixAccountIdentity'),
    accountIdentity: record({ signIn: oneOf('email', 'username'), tagStyle: oneOf('discriminator', 'none') }),
    now: instants,
  }),
)

function policyChanges(): fc.Arbitrary<PolicyChanges> {
  return fc.record(
    {
      registration: fc.record(
        { mode: oneOf('open', 'approval', 'closed'), urlsEnabled: fc.boolean() },
        { requiredKeys: [], noNullPrototype: true },
      ),
      accountIdentity: fc.record({ signIn: oneOf('email', 'username') }, { requiredKeys: [], noNullPrototype: true }),
      ipAuthorization: fc.boolean(),
      singleSignOn: fc.record(
        {
          enabled: fc.boolean(),
          issuer: oneOf(null, 'https://id.example'),
          allowedDomains: fc.array(oneOf('example.org')),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
}

export const inviteCommands: fc.Arbitrary<InviteCommand> = fc.oneof(
  {
    weight: 1,
    arbitrary: record({
      type: oneOf('CreateInvite'),
      terms: record({
        code: oneOf(code),
        guildId: oneOf(home),
        channelId: oneOf(general),
        inviterId: anybody,
        maxUses: oneOf(0, 1, 2, 3, 100),
        maxAge: minutesOrNone,
        temporary: fc.boolean(),
        createdAt: instants,
      }),
    }),
  },
  {
    weight: 6,
    arbitrary: record({ type: oneOf('RedeemInvite'), accountId: anybody, redemptionId: redemptions(), now: instants }),
  },
  { weight: 4, arbitrary: record({ type: oneOf('ReturnRedemption'), redemptionId: redemptions() }) },
  { weight: 1, arbitrary: record({ type: oneOf('DeleteInvite'), by: anybody, now: instants }) },
)

function redemptions(): fc.Arbitrary<string> {
  return fc.integer({ min: 1, max: 8 }).map((number) => `redemption-${number}`)
}

export const membershipCommands: fc.Arbitrary<MembershipCommand> = fc.oneof(
  record({
    type: oneOf('JoinGuild'),
    guildId: oneOf(home),
    accountId: oneOf(ada),
    temporary: fc.boolean(),
    admission: oneOf(founding, { by: 'custom_invite' }, { by: 'invite', code, inviterId: null, redemptionId: 'r' }),
    now: instants,
  }),
  record({ type: oneOf('LeaveGuild'), guildId: oneOf(home), isOwner: fc.boolean() }),
  record({ type: oneOf('SetMemberRoles'), roles: fc.array(oneOf(...roles)) }),
  record({
    type: oneOf('BanMember'),
    guildId: oneOf(home),
    accountId: oneOf(ada),
    moderatorId: oneOf(moderator),
    reason: oneOf(null, 'spam'),
    expiresAt: fc.option(instants),
    now: instants,
  }),
)

export const guildCommands: fc.Arbitrary<GuildCommand> = fc.oneof(
  {
    weight: 2,
    arbitrary: record({
      type: oneOf('CreateGuild'),
      guildId: oneOf(home),
      name: oneOf('Home', 'Away'),
      ownerId: anybody,
      features: fc.array(oneOf(...guildFeatures)),
      channelIds: oneOf(layout),
      now: instants,
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('DeleteGuild'), by: anybody }) },
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('ChangeSettings'),
      settings: fc.record(
        {
          icon: oneOf(null, 'a_0123'),
          systemChannelId: oneOf(null, ...channels),
          afkTimeout: oneOf(60, 300),
          nsfw: fc.boolean(),
          messageHistoryCutoff: fc.option(instants),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    }),
  },
  { weight: 4, arbitrary: record({ type: oneOf('SetFeatures'), features: fc.array(oneOf(...guildFeatures)) }) },
)

export const accountCommands: fc.Arbitrary<AccountCommand> = fc.oneof(
  record({
    type: oneOf('RegisterAccount'),
    accountId: oneOf(ada),
    username: oneOf('ada', 'Ada'),
    discriminator: oneOf(1, 9999),
    globalName: oneOf(null, 'Ada L.'),
    email: oneOf(null, 'ada@example.org'),
    passwordHash: oneOf(null, '$argon2id$'),
    dateOfBirth: oneOf(null, '1990-12-10'),
    emailVerified: fc.boolean(),
    locale: oneOf('en-US'),
    now: instants,
  }),
  record({
    type: oneOf('StartSession'),
    tokenHash: tokens(),
    ip: oneOf(null, '::1'),
    userAgent: oneOf(null),
    now: instants,
  }),
  record({ type: oneOf('EndSession'), tokenHash: tokens() }),
  record({ type: oneOf('EndSessions'), tokenHashes: fc.array(tokens(), { maxLength: 3 }) }),
  record({ type: oneOf('GrantAcls'), accountId: oneOf(ada), acls: fc.array(oneOf('*', 'admin:authenticate', 'b')) }),
  record({
    type: oneOf('ChangeTag'),
    username: oneOf('Ada', 'Countess'),
    discriminator: oneOf(1, 2),
    from: record({ username: oneOf('Ada', 'Countess'), discriminator: oneOf(1, 2) }),
  }),
  record({ type: oneOf('ChangeProfile'), changes: oneOf({}, { bio: 'Notes' }, { bio: null, mentionFlags: 2 }) }),
  record({
    type: oneOf('ChangePassword'),
    passwordHash: oneOf('$1', '$2'),
    except: fc.option(tokens()),
    now: instants,
  }),
  record({
    type: oneOf('ChangeEmailAddress'),
    email: addresses(),
    from: addresses(),
    verified: fc.boolean(),
    now: instants,
  }),
  record({ type: oneOf('VerifyEmailAddress') }),
  record({
    type: oneOf('RevertEmailAddress'),
    email: addresses(),
    changedAt: instants,
    passwordHash: oneOf('$1', '$3'),
    now: instants,
  }),
  record({ type: oneOf('DisableAccount') }),
  record({ type: oneOf('ScheduleSelfDeletion'), dueAt: instants }),
  record({ type: oneOf('ReturnToAccount') }),
  record({ type: oneOf('AcceptTerms'), now: instants }),
  secondFactorCommands(),
)

/** Few steps, codes and counters, so that spent ones come again. */
function secondFactorCommands(): fc.Arbitrary<AccountCommand> {
  const step = fc.integer({ min: 1, max: 6 })
  const codes = oneOf(['a', 'b'], ['c', 'd', 'e'])
  const credentialId = oneOf('key-1', 'key-2', 'key-3')
  const counter = fc.integer({ min: 0, max: 3 })
  const totp = record({ by: oneOf('totp'), step })
  const backup = record({ by: oneOf('backup_code'), index: fc.integer({ min: 0, max: 5 }) })
  const passkey = record({ by: oneOf('webauthn'), credentialId, counter, now: instants })
  const name = oneOf('Engine', 'Loom')
  return fc.oneof(
    record({ type: oneOf('EnableTotp'), secret: oneOf('JBSW', 'Y3DP'), step, now: instants, backupCodes: codes }),
    record({ type: oneOf('DisableTotp'), proof: fc.oneof(totp, backup) }),
    record({ type: oneOf('IssueBackupCodes'), codes }),
    record({ type: oneOf('ProveSecondFactor'), proof: fc.oneof(totp, backup, passkey) }),
    record({
      type: oneOf('RegisterWebAuthnCredential'),
      credentialId,
      publicKey: oneOf('cose'),
      counter,
      transports: oneOf([], ['usb']),
      name,
      now: instants,
    }),
    record({ type: oneOf('RenameWebAuthnCredential'), credentialId, name }),
    record({ type: oneOf('RemoveWebAuthnCredential'), credentialId }),
    record({ type: oneOf('ChoosePasskeys'), chosen: fc.boolean() }),
  )
}

function addresses(): fc.Arbitrary<string> {
  return oneOf('ada@example.org', 'countess@example.org')
}

function tokens(): fc.Arbitrary<string> {
  return oneOf('hash-1', 'hash-2', 'hash-3')
}

export const handleCommands: fc.Arbitrary<HandleCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('ClaimHandle'),
      username: oneOf('ada', 'Ada', 'ADA'),
      accountId: anybody,
      roll: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      alone: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('ReleaseHandle'), accountId: anybody }) },
)

export const emailAddressCommands: fc.Arbitrary<EmailAddressCommand> = fc.oneof(
  record({ type: oneOf('ClaimAddress'), addressHash: oneOf('hash-of-address'), accountId: anybody }),
  record({ type: oneOf('ReleaseAddress'), accountId: anybody }),
)
