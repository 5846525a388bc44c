import type { HolderStep, Sender, Step } from './step.ts'
import { viewAcls } from './step.ts'
import { just, key, ranks, root, send, type Act } from './tour-of-ranks.ts'

/** Steps that meet every operation on an account and every refusal of `statuses`, in one order. */

const seeing: Sender = { kind: 'admin', holds: true, more: viewAcls }
const lacking: Sender = { kind: 'admin', holds: false, more: viewAcls }
const reason = 'Ticket 7'

const does = (on: HolderStep['on'], op: HolderStep['op']): HolderStep => ({ op, on })

/** One request of each operation, harmless to what others need. */
const acts: readonly Act[] = [
  { op: 'get user' },
  { op: 'list users', selectors: {}, named: [{ selector: 'user_id', names: 'id' }] },
  { op: 'list guilds', page: {}, cursors: [] },
  { op: 'list direct messages', page: {} },
  { op: 'list applications' },
  { op: 'list relationships' },
  { op: 'list sessions' },
  { op: 'list passkeys' },
  { op: 'list change log', goesOn: false },
  { op: 'get shred job', job: 'unknown' },
  { op: 'change username', username: null },
  { op: 'change email', email: null },
  { op: 'verify email' },
  { op: 'resend verification' },
  { op: 'send password reset' },
  { op: 'create reset link' },
  { op: 'delete recovery kit' },
  { op: 'change date of birth', date: '1991-02-28' },
  { op: 'clear profile fields', fields: ['bio'] },
  { op: 'set bot status', bot: false },
  { op: 'set system status', system: false },
  { op: 'set ACLs', acls: [] },
  { op: 'set traits', traits: ['tester', 'early', 'tester'] },
  { op: 'update flags', wishes: { add_flags: ['4'] } },
  { op: 'update premium flags', wishes: { add_flags: [32] } },
  { op: 'lift ban', wishes: {} },
  { op: 'delete all messages' },
  { op: 'shred messages', of: ['nobody'] },
  { op: 'cancel scheduled deletion' },
  { op: 'trigger archive' },
]

/** Acts that end something; they come last. */
const endings: readonly Act[] = [
  { op: 'remove one relationship', other: 'brian', category: 'outgoing_request' },
  { op: 'remove relationships', category: 'friend' },
  { op: 'delete passkey', which: 'first' },
  { op: 'disable MFA' },
  { op: 'terminate sessions' },
  { op: 'ban', wishes: { duration_hours: 2 } },
  { op: 'schedule deletion', wishes: { reason_code: 3 }, expects: 'none' },
  { op: 'cancel deletion', wishes: {}, expects: 'current' },
]

const every = [...acts, ...endings]

/** Nobody without the ACL gets anything, whatever else they hold; no account is looked for. */
const withoutTheAcl: readonly Step[] = every.map((act) => send('nowhere', lacking, act))
const unknownAccounts: readonly Step[] = every.map((act) => send('nowhere', root, act))
const noIds: readonly Step[] = every.map((act) => send('word', root, act))

const strangers: readonly Step[] = [
  ...(['none', 'bot', 'bearer', 'plain account'] as const).map((kind) => send('ada', { kind }, { op: 'get user' })),
  send('self', root, { op: 'set ACLs', acls: ['*'] }),
  send('self', root, { op: 'ban', wishes: { duration_hours: 1 } }),
]

/** Each operation on a person with exactly its ACL and on the erased account, and the reads with every set of views. */
const justTheAcl: readonly Step[] = [
  ...acts.flatMap((act) => [send('ada', just, act, reason), send('gone', root, act)]),
  ...endings.map((act) => send('gone', root, act)),
  ...acts.slice(0, 9).flatMap((act) => [send('ada', seeing, act), send('engine', key, act)]),
  ...viewAcls.map((acl) => send('brian', { kind: 'admin', holds: true, more: [acl] }, { op: 'get user' })),
]

const byNames = (by: Sender, selector: 'resolve' | 'q' | 'email', names: 'id' | 'tag' | 'username' | 'email') =>
  send('brian', by, { op: 'list users', selectors: {}, named: [{ selector, names }] })

/** A search that a caller may not make shows nothing, neither in its total. */
const searches: readonly Step[] = [
  byNames(just, 'resolve', 'tag'),
  byNames(just, 'resolve', 'id'),
  byNames(just, 'resolve', 'email'),
  byNames(seeing, 'resolve', 'email'),
  byNames(just, 'email', 'email'),
  byNames(seeing, 'email', 'email'),
  byNames(just, 'q', 'username'),
  byNames(just, 'q', 'id'),
  byNames(just, 'q', 'email'),
  byNames(seeing, 'q', 'email'),
  send('ada', just, { op: 'list users', selectors: { last_active_ip: '203.0.113.7' }, named: [] }),
  send('ada', seeing, { op: 'list users', selectors: { last_active_ip: '203.0.113.7', limit: 3 }, named: [] }),
  send('ada', just, {
    op: 'list users',
    selectors: { last_active_ip: '203.0.113.7', email: 'nobody@example.org' },
    named: [{ selector: 'user_id', names: 'id' }],
  }),
  send('ada', just, { op: 'list users', selectors: { limit: 201 }, named: [{ selector: 'q', names: 'id' }] }),
]

const wrong: readonly Step[] = [
  send('ada', root, { op: 'change username', username: 'everyone' }),
  send('ada', root, { op: 'change username', username: 'the_guildhall' }),
  send('ada', root, { op: 'change username', username: 'a b' }),
  send('ada', root, { op: 'change username', username: null, discriminator: 'x' }),
  send('ada', root, { op: 'change username', username: null, discriminator: '12' }),
  send('ada', root, { op: 'change email', email: 'nobody' }),
  send('ada', root, { op: 'change date of birth', date: '1991-02-29' }),
  send('ada', root, { op: 'clear profile fields', fields: ['bio', 'username'] }),
  send('ada', root, { op: 'set traits', traits: [''] }),
  send('ada', root, { op: 'update flags', wishes: { add_flags: ['-1'] } }),
  send('ada', root, { op: 'update premium flags', wishes: { remove_flags: [2 ** 32] } }),
  send('ada', root, { op: 'set ACLs', acls: ['unknown'] }),
  send('ada', root, { op: 'set system status', system: true }),
  send('ada', root, { op: 'ban', wishes: { duration_hours: 8761 } }),
  send('ada', root, { op: 'lift ban', wishes: { public_reason: 'x'.repeat(513) } }),
  send('ada', root, { op: 'schedule deletion', wishes: { reason_code: 23 }, expects: 'none' }),
  send('ada', root, { op: 'cancel deletion', wishes: {}, expects: 'none' }),
  send('ada', root, { op: 'remove relationships', category: 'everyone' }),
  send('ada', root, { op: 'shred messages', of: [] }),
  send('ada', root, { op: 'trigger archive', includes: 'yes' }),
  send('ada', root, { op: 'get shred job', job: 'word' }),
  send('ada', root, { op: 'list guilds', page: { limit: 0 }, cursors: [] }),
  send('ada', root, { op: 'list direct messages', page: { before: '1', after: '2' } }),
  send('ada', root, { op: 'list change log', limit: 201, goesOn: false }),
  send('ada', root, { op: 'delete passkey', which: 'unknown' }),
  send('ada', root, { op: 'remove one relationship', other: 'carol', category: 'blocked' }),
  send('engine', root, { op: 'resend verification' }),
  send('engine', root, { op: 'send password reset' }),
]

const named = (of: 'ada' | 'brian' | 'carol', tag = false) =>
  ({ op: 'change username', username: { of, tag } }) as const

/** The tag of another: only who may choose a discriminator is refused; others get the name with one of their own. */
const tags: readonly Step[] = [
  send('ada', just, named('carol', true), reason),
  send('ada', root, { op: 'change username', username: null }),
  send('ada', root, { op: 'update premium flags', wishes: { add_flags: [128] } }),
  send('ada', just, named('carol', true), reason),
  send('ada', just, { ...named('carol'), discriminator: '7' }, reason),
  send('brian', root, { op: 'update premium flags', wishes: { add_flags: [128] } }),
  send('brian', just, { ...named('carol'), discriminator: '7' }),
  send('brian', just, { ...named('carol'), discriminator: '0' }),
  send('brian', just, { ...named('carol'), discriminator: '8' }),
  send('brian', root, { op: 'update premium flags', wishes: { add_flags: [256] } }),
  send('brian', just, { op: 'change username', username: null, discriminator: '9' }),
  send('ada', root, { op: 'update premium flags', wishes: { remove_flags: [128] } }),
  send('ada', root, { op: 'change username', username: null }),
]

const reports: readonly Step[] = [
  does('brian', 'be reported'),
  does('brian', 'be reported'),
  does('brian', 'be reported to be too young'),
  send('brian', root, { op: 'schedule deletion', wishes: { reason_code: 1 }, expects: 'none' }),
  send('brian', just, { op: 'schedule deletion', wishes: { reason_code: 3 }, expects: 'current' }, reason),
  send('brian', root, { op: 'schedule deletion', wishes: { reason_code: 4 }, expects: 'current' }),
  send('brian', root, { op: 'cancel deletion', wishes: {}, expects: 'current' }),
]

const bots: readonly Step[] = [
  send('engine', root, { op: 'set system status', system: true }),
  send('engine', just, { op: 'set bot status', bot: false }),
  send('engine', root, { op: 'verify email' }),
  send('engine', root, { op: 'resend verification' }),
  send('engine', root, { op: 'set bot status', bot: true }),
  send('brian', root, { op: 'set bot status', bot: true }),
  does('brian', 'sign in'),
  send('brian', root, { op: 'set bot status', bot: false }),
  does('brian', 'sign in'),
]

const texts: readonly Step[] = [
  does('ada', 'say'),
  does('ada', 'say'),
  does('brian', 'say'),
  send('ada', just, { op: 'delete all messages', dryRun: 'no' }, reason),
  send('ada', just, { op: 'shred messages', of: ['ada', 'brian', 'nobody', 'ada'] }, reason),
  send('ada', root, { op: 'get shred job', job: 'last' }),
  send('ada', just, { op: 'delete all messages', dryRun: ' False ' }, reason),
  send('ada', root, { op: 'get shred job', job: 'last' }),
  does('brian', 'schedule own messages'),
  send('brian', just, { op: 'cancel scheduled deletion' }),
]

const logs: readonly Step[] = [
  send('ada', root, { op: 'change username', username: null }),
  send('ada', root, { op: 'change email', email: null }),
  send('ada', just, { op: 'list change log', limit: 1, goesOn: false }),
  send('ada', just, { op: 'list change log', limit: 1, goesOn: true }),
  send('ada', seeing, { op: 'list change log', limit: 200, goesOn: true }),
]

const lifeCycle: readonly Step[] = [
  send('brian', just, { op: 'terminate sessions' }, reason),
  send('brian', seeing, { op: 'list sessions' }),
  does('brian', 'sign in'),
  send('brian', just, { op: 'ban', wishes: { duration_hours: 2, reason: 'Spam' } }, reason),
  does('brian', 'sign in'),
  send('brian', root, { op: 'ban', wishes: { duration_hours: 0, notify_user: false } }),
  send('brian', just, { op: 'lift ban', wishes: { public_reason: 'Sorry' } }, 'x'.repeat(513)),
  does('brian', 'sign in'),
  send('brian', root, { op: 'cancel deletion', wishes: {}, expects: 'another' }),
  send('brian', root, { op: 'schedule deletion', wishes: { reason_code: 1, days: 15 }, expects: 'another' }),
  send('brian', just, { op: 'schedule deletion', wishes: { reason_code: 1, days: 15 }, expects: 'none' }, reason),
  does('brian', 'sign in'),
  send('brian', root, { op: 'lift ban', wishes: {} }),
  send(
    'brian',
    { kind: 'admin', holds: true, more: ['audit_log:view'] },
    {
      op: 'schedule deletion',
      wishes: { reason_code: 3, days: 70, public_reason: 'Spam' },
      expects: 'current',
    },
  ),
  send('brian', root, { op: 'schedule deletion', wishes: { reason_code: 2 }, expects: 'none' }, reason),
  send('brian', { kind: 'admin', holds: true, more: [] }, { op: 'get user' }),
  send('brian', root, { op: 'cancel deletion', wishes: { notify_user: true }, expects: 'another' }),
  send('brian', just, { op: 'cancel deletion', wishes: { notify_user: true }, expects: 'current' }, reason),
  does('brian', 'sign in'),
]

const last: readonly Step[] = [
  ...endings.map((act) => send('ada', just, act, reason)),
  send('brian', root, { op: 'remove relationships', category: 'blocked' }),
  send('ada', root, { op: 'list relationships' }),
  send('ada', root, { op: 'list passkeys' }),
]

export const tour: readonly Step[] = [
  ...strangers,
  ...withoutTheAcl,
  ...unknownAccounts,
  ...noIds,
  ...justTheAcl,
  ...searches,
  ...wrong,
  ...ranks,
  ...bots,
  ...texts,
  ...logs,
  ...lifeCycle,
  ...reports,
  ...tags,
  ...last,
]

const links: readonly Act[] = [{ op: 'create reset link' }, { op: 'delete recovery kit' }]
const byMail = ['change email', 'verify email', 'resend verification', 'send password reset']
const holding = (kind: 'admin' | 'key', ...more: readonly string[]): Sender => ({ kind, holds: true, more })

/** On an instance where members sign in with a username: nobody resets the password of somebody with more ACLs. */
export const tourByUsername: readonly Step[] = [
  ...acts
    .filter(({ op }) => byMail.includes(op))
    .flatMap((act) => [send('ada', root, act), send('nowhere', root, act), send('word', root, act)]),
  send('ada', just, named('brian'), reason),
  send('ada', just, { op: 'change username', username: null, discriminator: '7' }),
  send('ada', just, { op: 'change username', username: null, discriminator: '0' }, reason),
  ...links.flatMap((act) =>
    [send('ada', just, act, reason), send('ada', key, act)].concat(
      ...(['nowhere', 'gone', 'engine', 'word'] as const).map((on) => send(on, just, act)),
    ),
  ),
  send('brian', root, { op: 'set ACLs', acls: ['user:temp_ban'] }),
  ...links.flatMap((act) => [
    send('brian', just, act),
    send('brian', key, act),
    send('brian', holding('admin', 'user:temp_ban'), act),
    send('brian', holding('key', 'user:temp_ban'), act),
    send('brian', { kind: 'admin', holds: false, more: ['user:temp_ban'] }, act),
  ]),
  send('brian', root, { op: 'set ACLs', acls: ['*'] }),
  ...links.flatMap((act) => [send('brian', holding('admin', 'user:temp_ban'), act), send('brian', root, act)]),
]
