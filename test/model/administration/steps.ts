import fc from 'fast-check'
import { viewAcls, type AdminStep, type HolderStep, type Sender, type Step, type TargetName } from './step.ts'

/** Random requests. Most senders hold the ACL, and most targets live: the rest has its places in the tour. */

const steps_max = 40

const optional = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true })
const some = fc.constantFrom

const more = fc.subarray([...viewAcls, 'user:lookup'])
const sender: fc.Arbitrary<Sender> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('admin' as const), holds: fc.constant(true), more }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('admin' as const), holds: fc.constant(false), more }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('key' as const),
      holds: fc.boolean(),
      more: some<string[][]>([], ['user:view:email']),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'root' as const }) },
)
const target = some<TargetName[]>(
  'ada',
  'ada',
  'ada',
  'ada',
  'brian',
  'brian',
  'brian',
  'engine',
  'engine',
  'gone',
  'nowhere',
)
const because = fc.option(some('Ticket 7', ' Ticket 8 ', 'x'.repeat(513)), { nil: undefined })

type Input<Op extends AdminStep['op']> = Omit<Extract<AdminStep, { readonly op: Op }>, 'op' | 'on' | 'by' | 'reason'>

/** A request for an operation, with what is sent. */
function of<Op extends AdminStep['op']>(op: Op, input: { [Name in keyof Input<Op>]: fc.Arbitrary<Input<Op>[Name]> }) {
  const base = { op: fc.constant(op), on: target, by: sender, reason: because }
  return fc.record({ ...base, ...input } as never) as unknown as fc.Arbitrary<AdminStep>
}

const flag = some('1', '2', '4', '6', '8', '64', '128', (1n << 63n).toString(), 'x')
const premiumFlag = some(0, 1, 2, 32, 64, 128, 256, 2 ** 31, -1)
const named = some(
  [{ selector: 'user_id', names: 'id' }],
  [{ selector: 'resolve', names: 'tag' }],
  [{ selector: 'resolve', names: 'email' }],
  [{ selector: 'email', names: 'email' }],
  [{ selector: 'q', names: 'username' }],
  [{ selector: 'q', names: 'email' }],
  [
    { selector: 'email', names: 'email' },
    { selector: 'q', names: 'id' },
  ],
) as unknown as fc.Arbitrary<Input<'list users'>['named']>
const category = some('friend', 'incoming_request', 'outgoing_request', 'blocked', 'everyone')
const isExpected = some<('current' | 'another' | 'none')[]>('current', 'current', 'another', 'none')

const readings: readonly fc.Arbitrary<AdminStep>[] = [
  of('get user', {}),
  of('list users', {
    selectors: optional<{ limit: number; offset: number }>({ limit: some(1, 200, 0), offset: fc.constant(0) }),
    named,
  }),
  of('list guilds', {
    page: optional<{ limit: number; with_counts: string }>({
      limit: some(1, 200, 201),
      with_counts: some('true', 'True', '1', 'TRUE', '0'),
    }),
    cursors: fc.subarray<'before' | 'after'>(['before', 'after']),
  }),
  of('list direct messages', {
    page: optional<{ type: string; before: string; after: string; limit: number }>({
      type: some('dm', 'group_dm', 'notes'),
      before: some('1', '9000000000000000000'),
      after: some('1', '9000000000000000000'),
      limit: some(1, 200, 0),
    }),
  }),
  of('list applications', {}),
  of('list relationships', {}),
  of('list sessions', {}),
  of('list passkeys', {}),
  of('list change log', { limit: some(1, 2, 200), goesOn: fc.boolean() }),
  of('get shred job', { job: some('last', 'last', 'unknown') }),
]

const changes: readonly fc.Arbitrary<AdminStep>[] = [
  of('update flags', {
    wishes: optional({ add_flags: fc.array(flag, { maxLength: 3 }), remove_flags: fc.array(flag, { maxLength: 3 }) }),
  }),
  of('update premium flags', {
    wishes: optional({
      add_flags: fc.array(premiumFlag, { maxLength: 3 }),
      remove_flags: fc.array(premiumFlag, { maxLength: 3 }),
    }),
  }),
  of('set traits', { traits: fc.array(some('tester', 'early', 'late', 'premium'), { maxLength: 4 }) }),
  of('change date of birth', { date: some('1990-12-10', '2000-02-29', '1900-02-29', '10-12-1990') }),
  of('set bot status', { bot: fc.boolean() }),
  of('set system status', { system: fc.boolean() }),
  of('set ACLs', {
    acls: fc.array(some('admin:authenticate', 'user:lookup', 'user:view:email', '*'), { maxLength: 2 }),
  }),
  of('change username', {
    username: some<Input<'change username'>['username'][]>(
      null,
      null,
      'here',
      'system message',
      { of: 'brian', tag: false },
      { of: 'carol', tag: true },
    ),
    discriminator: some<(string | undefined)[]>(undefined, undefined, '7', '0'),
  }),
  of('change email', { email: some(null, null, null, 'none') }),
  of('verify email', {}),
  of('resend verification', {}),
  of('send password reset', {}),
  of('create reset link', {}),
  of('delete recovery kit', {}),
  of('clear profile fields', { fields: fc.subarray(['avatar', 'banner', 'bio', 'pronouns', 'global_name']) }),
]

const acts: readonly fc.Arbitrary<AdminStep>[] = [
  of('ban', {
    wishes: fc.record(
      { duration_hours: some(0, 1, 8760, -1), reason: some('Spam', ''), notify_user: fc.boolean() },
      { requiredKeys: ['duration_hours'], noNullPrototype: true },
    ),
  }),
  of('lift ban', { wishes: optional({ notify_user: fc.boolean(), public_reason: fc.constant('Sorry') }) }),
  of('schedule deletion', {
    wishes: fc.record(
      {
        reason_code: some(1, 2, 3, 19, 22, 0),
        days: some(1, 61, 365),
        public_reason: fc.constant('Spam'),
        notify_user: fc.boolean(),
      },
      { requiredKeys: ['reason_code'], noNullPrototype: true },
    ),
    expects: isExpected,
  }),
  of('cancel deletion', { wishes: optional({ notify_user: fc.boolean() }), expects: isExpected }),
  of('terminate sessions', {}),
  of('remove relationships', { category }),
  of('remove one relationship', { other: some('ada', 'brian', 'carol', 'nowhere'), category }),
  of('delete passkey', { which: some('first', 'unknown') }),
  of('disable MFA', {}),
  of('delete all messages', { dryRun: some('false', '0', 'true', 'no') }),
  of('shred messages', { of: fc.array(some('ada', 'brian', 'nobody'), { minLength: 1, maxLength: 3 }) }),
  of('cancel scheduled deletion', {}),
  of('trigger archive', { includes: fc.boolean() }),
]

const holders: fc.Arbitrary<HolderStep> = fc.record({
  op: some<HolderStep['op'][]>('sign in', 'sign in', 'say', 'say', 'schedule own messages', 'be reported'),
  on: some<HolderStep['on'][]>('ada', 'brian'),
})

export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.oneof(...readings) },
    { weight: 4, arbitrary: fc.oneof(...changes) },
    { weight: 3, arbitrary: fc.oneof(...acts) },
    { weight: 2, arbitrary: holders },
  ),
  { maxLength: steps_max, size: 'max' },
)
