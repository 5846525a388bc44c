import fc from 'fast-check'
import type { AccountCommand } from '../../account/commands.ts'
import { instants, oneOf, record } from '../drawing.ts'
import { ada } from '../people.ts'
import { premiumCommands } from './premium-commands.ts'
import { standingCommands } from './standing-arbitraries.ts'

/** Commands of accounts, drawn from a few values each, so that histories use the same values again. */

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
    awaitsApproval: fc.boolean(),
    now: instants,
  }),
  singleSignOnCommands(),
  premiumCommands,
  record({
    type: oneOf('StartSession'),
    tokenHash: tokens(),
    ip: oneOf(null, '::1'),
    userAgent: oneOf(null),
    now: instants,
  }),
  record({
    type: oneOf('StartSession'),
    tokenHash: tokens(),
    ip: oneOf('203.0.113.7'),
    userAgent: oneOf(null),
    authorizes: oneOf('203.0.113.7/32', '2001:db8:0:0::/64'),
    forOtherDevice: fc.boolean(),
    now: instants,
  }),
  record({ type: oneOf('ForgetIpAddresses') }),
  record({ type: oneOf('EndSession'), tokenHash: tokens() }),
  record({ type: oneOf('EndSessions'), tokenHashes: fc.array(tokens(), { maxLength: 3 }) }),
  record({ type: oneOf('EndAllSessions') }),
  record({ type: oneOf('SignOutEverywhere'), bySession: tokens(), now: instants }),
  record({ type: oneOf('GrantAcls'), accountId: oneOf(ada), acls: fc.array(oneOf('*', 'admin:authenticate', 'b')) }),
  record({
    type: oneOf('ChangeTag'),
    username: oneOf('Ada', 'Countess'),
    discriminator: oneOf(1, 2),
    from: record({ username: oneOf('Ada', 'Countess'), discriminator: oneOf(1, 2) }),
  }),
  record({
    type: oneOf('ChangeProfile'),
    changes: oneOf({}, { bio: 'Notes' }, { bio: null, mentionFlags: 2 }, { avatar: 'a_1', avatarColor: 255 }),
  }),
  record({
    type: oneOf('ChangePassword'),
    passwordHash: oneOf('$1', '$2'),
    except: fc.option(tokens()),
    now: instants,
  }),
  record({
    type: oneOf('ChangePassword'),
    passwordHash: oneOf('$1', '$2'),
    except: oneOf(null),
    successor: record({ tokenHash: tokens(), ip: oneOf(null), userAgent: oneOf(null) }),
    now: instants,
  }),
  record({
    type: oneOf('RenewPasswordHash'),
    from: oneOf('$argon2id$', '$1'),
    passwordHash: oneOf('$2', '$4'),
  }),
  record({
    type: oneOf('ChangeEmailAddress'),
    email: addresses(),
    from: addresses(),
    verified: fc.boolean(),
    now: instants,
  }),
  record({
    type: oneOf('ChangeEmailAddress'),
    email: addresses(),
    from: addresses(),
    verified: oneOf(false),
    keepsBounce: oneOf(true as const),
    now: instants,
  }),
  record({ type: oneOf('VerifyEmailAddress') }),
  record({ type: oneOf('VerifyEmailAddress'), email: addresses() }),
  record({
    type: oneOf('RevertEmailAddress'),
    email: addresses(),
    changedAt: instants,
    passwordHash: oneOf('$1', '$3'),
    now: instants,
  }),
  record({
    type: oneOf('RevertEmailAddress'),
    email: addresses(),
    changedAt: instants,
    passwordHash: oneOf('$1', '$3'),
    successor: record({ tokenHash: tokens(), ip: oneOf(null), userAgent: oneOf(null) }),
    now: instants,
  }),
  record({ type: oneOf('DisableAccount') }),
  record({ type: oneOf('ScheduleSelfDeletion'), dueAt: instants }),
  record({ type: oneOf('ReturnToAccount'), now: instants }),
  record({ type: oneOf('StartErasure'), email: addresses(), addressHash: oneOf('hash'), now: instants }),
  record({ type: oneOf('FinishErasure'), now: instants }),
  record({ type: oneOf('NoteMessagesAnonymised'), now: instants }),
  record({ type: oneOf('MarkEmailAddressBounced'), email: addresses(), now: instants }),
  record({ type: oneOf('AcceptTerms'), now: instants }),
  secondFactorCommands(),
  admissionCommands(),
  standingCommands,
)

/** Few steps, codes and counters, so that used ones come again. */
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
    record({ type: oneOf('DisableSecondFactors') }),
    record({ type: oneOf('ChooseVoiceActivitySharing'), shared: fc.boolean(), now: instants }),
  )
}

/** Two identities of one provider and one of another. */
function singleSignOnCommands(): fc.Arbitrary<AccountCommand> {
  return oneOf(
    ['https://id.example', 'hash-1'],
    ['https://id.example', 'hash-2'],
    ['https://other.example', 'hash-3'],
  ).chain(([issuer = '', identityHash = '']) =>
    record({
      type: oneOf('LinkSingleSignOn'),
      issuer: oneOf(issuer),
      identityHash: oneOf(identityHash),
      email: addresses(),
      now: instants,
    }),
  )
}

/** The decisions of operators, and the recovery kits of holders. */
function admissionCommands(): fc.Arbitrary<AccountCommand> {
  const keyHash = oneOf('kit-1', 'kit-2')
  return fc.oneof(
    record({ type: oneOf('ApproveRegistration') }),
    record({ type: oneOf('RejectRegistration') }),
    record({ type: oneOf('CreateRecoveryKit'), keyHash, now: instants }),
    record({ type: oneOf('RevokeRecoveryKit') }),
    record({ type: oneOf('ResetByRecoveryKit'), keyHash, passwordHash: oneOf('$1', '$2'), now: instants }),
  )
}

function addresses(): fc.Arbitrary<string> {
  return oneOf('ada@example.org', 'countess@example.org')
}

function tokens(): fc.Arbitrary<string> {
  return oneOf('hash-1', 'hash-2', 'hash-3')
}
