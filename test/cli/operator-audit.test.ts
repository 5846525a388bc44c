import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program } from '../../cli/command-line.ts'
import { operatorName } from '../../cli/operator/operator.ts'
import type { GuildId } from '../../domain/ids/ids.ts'
import { ruleOf } from '../../application/administration/undo/undo-rules.ts'
import { accessOf } from '../../domain/admin-audit/access-of.ts'
import { streamName } from '../../domain/streams.ts'
import { account, after, created, guild, joined, registered } from '../projections/support/people.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'
import { userCommands, type NewAccount } from './support/user-commands.ts'

let site: Instance
let ada: NewAccount
const home = guild(1)
const waiting = [account(81), account(82)] as const

beforeAll(async () => {
  site = await instance()
  const { events } = site.store
  await happens(events, streamName('guild', home), created(1))
  await happens(events, streamName('membership', `${home}-${account(1)}`), joined(1, 1))
  await happens(events, streamName('membership', `${home}-${account(2)}`), joined(1, 2))
  await removedListing(home)
  for (const [index, id] of waiting.entries())
    await happens(
      events,
      streamName('account', id),
      registered(81 + index, { awaitsApproval: true, clientIp: null, username: `waiting_${index}` }),
    )
  ada = await userCommands(() => site).newAccount()
})
afterAll(() => site.close())

async function removedListing(guildId: GuildId): Promise<void> {
  const listing = { description: 'Chess', categoryType: 0, primaryLanguage: 'en-US' as const, customTags: [] }
  const facts = { name: 'Chess', icon: null, memberCount: 1 }
  const evidence = { ...listing, guild: facts }
  const by = { guildId, reason: 'spam', evidence }
  await happens(
    site.store.events,
    streamName('discovery_application', guildId),
    {
      type: 'DiscoveryApplied',
      data: {
        guildId,
        decision: 1,
        appliedBy: account(1),
        listing,
        guild: facts,
        approvedAtOnce: true,
        appliedAt: after(1),
      },
    },
    { type: 'DiscoveryListingRemoved', data: { ...by, decision: 2, removedBy: account(2), removedAt: after(2) } },
  )
}

interface Entry {
  readonly entryId: string
  readonly action: string
  readonly adminId: string
  readonly credential: string
  readonly targetType: string
  readonly targetId: string
  readonly metadata: Readonly<Record<string, string>>
}

const entries = async (): Promise<readonly Entry[]> =>
  (await site.events())
    .filter(({ type }) => type === 'AdminActionRecorded')
    // The codec has checked the data.
    .map(({ data }) => data as Entry)

const newest = async (action: string): Promise<Entry> =>
  (await entries()).findLast((entry) => entry.action === action) ?? expect.fail(`no entry for ${action}`)

type Case = readonly [
  command: string,
  words: () => readonly string[] | Promise<readonly string[]>,
  entry: () => Readonly<Record<string, unknown>>,
]

const ofAda = (action: string, metadata: Readonly<Record<string, string>> = {}) => ({
  action,
  targetType: 'user',
  targetId: ada.id,
  metadata,
})
const ofHome = (action: string, metadata: Readonly<Record<string, string>> = {}) => ({
  action,
  targetType: 'guild',
  targetId: home,
  metadata,
})

/** Every command that changes an instance or reads what others may not, in an order in which each succeeds. */
const changing: readonly Case[] = [
  ['seed', () => ['--members', '1', '--messages', '1', '--channels', '0'], () => ({ action: 'seed_guild' })],
  [
    'instance set',
    () => ['discovery.min_member_count=1', 'sso.client_secret=CANARY'],
    () => ({
      action: 'update_instance_config',
      targetType: 'instance',
      targetId: '0',
      metadata: { members: 'discovery.min_member_count,sso.client_secret' },
    }),
  ],
  [
    'admin grant',
    () => [ada.id, 'admin:authenticate', 'audit_log:view'],
    () => ofAda('set_acls', { acls: 'admin:authenticate,audit_log:view' }),
  ],
  ['admin revoke', () => [ada.id, 'audit_log:view'], () => ofAda('set_acls', { acls: 'admin:authenticate' })],
  ['premium set', () => [ada.id, 'lifetime'], () => ofAda('set_premium', { premium: 'lifetime' })],
  ['user show', () => [ada.id], () => ofAda('get_user')],
  ['user sessions', () => [ada.id, '--end'], () => ofAda('terminate_sessions')],
  ['user flags', () => [ada.id, '--add', 'STAFF'], () => ofAda('update_flags')],
  ['user ban', () => [ada.id, '--hours', '5'], () => ofAda('temp_ban')],
  ['user unban', () => [ada.id], () => ofAda('unban')],
  ['user delete', () => [ada.id, '--because', 'USER_REQUESTED'], () => ofAda('schedule_deletion')],
  ['user undelete', () => [ada.id], () => ofAda('cancel_deletion')],
  ['undo', async () => [(await newest('update_flags')).entryId], () => ofAda('update_flags')],
  [
    'ban-ip',
    () => ['203.0.113.7', '--reason', 'spam'],
    () => ({ action: 'ban_ip', targetType: 'ip', targetId: '203.0.113.7/32', metadata: { reason: 'spam' } }),
  ],
  [
    'unban-ip',
    () => ['203.0.113.7'],
    () => ({ action: 'unban_ip', targetId: '203.0.113.7/32', metadata: { was_banned: 'true' } }),
  ],
  ['guild features', () => [home, '--add', 'VERIFIED'], () => ofHome('update_features', { add_features: 'VERIFIED' })],
  ['guild disable', () => [home, 'SEND_MESSAGE'], () => ofHome('update_settings', { disabled_operations: '16' })],
  ['guild rename', () => [home, 'Engine'], () => ofHome('update_name', { new_name: 'Engine' })],
  ['guild add-member', () => [home, account(3)], () => ({ action: 'force_add_to_guild', targetId: account(3) })],
  ['guild owner', () => [home, account(2)], () => ofHome('transfer_ownership', { new_owner_user_id: account(2) })],
  ['guild vanity', () => [home, 'engine'], () => ofHome('update_vanity', { old_code: 'null', new_code: 'engine' })],
  ['guild kick', () => [home, ada.id], () => ofAda('kick_member', { guild_id: home })],
  ['guild ban', () => [home, ada.id], () => ofAda('ban_member', { guild_id: home })],
  ['guild unban', () => [home, ada.id], () => ofAda('unban_member', { guild_id: home })],
  ['guild list', () => ['ome'], () => ({ action: 'list_guilds', targetType: 'guild', targetId: '0' })],
  ['guild members', () => [home], () => ofHome('list_guild_members', { member_count: '2' })],
  ['guild channels', () => [home], () => ofHome('list_guild_channels')],
  ['guild roles', () => [home], () => ofHome('list_guild_roles')],
  ['guild invites', () => [home], () => ofHome('list_guild_invites')],
  ['guild bans', () => [home], () => ofHome('list_guild_bans')],
  ['mails', () => [], () => ({ action: 'list_mails', targetType: 'mail', targetId: '0' })],
  ['store purchases', () => [], () => ({ action: 'list_purchases', targetType: 'store_purchase', targetId: '0' })],
  ['guild rewind', () => [home, '--to', new Date().toISOString()], () => ofHome('rewind_guild')],
  ['discovery restore', () => [home], () => ofHome('restore_discovery_listing')],
  ['guild delete', () => [home], () => ofHome('delete_guild', { name: 'Engine', owner_user_id: account(2) })],
  ['registrations approve', () => [waiting[0]], () => ({ action: 'approve_registration', targetId: waiting[0] })],
  ['registrations reject', () => [waiting[1]], () => ({ action: 'reject_registration', targetId: waiting[1] })],
  ['registration-url create', () => [], () => ({ action: 'create_registration_url', targetId: '0' })],
  [
    'registration-url revoke',
    async () => [(await newest('create_registration_url')).metadata['registration_url_id'] ?? ''],
    () => ({ action: 'revoke_registration_url', targetType: 'registration_url' }),
  ],
]

/** What reads only, serves, or brings a history in, with the log that stands in it. `demo` acts over HTTP, as its people. */
const unrecorded: readonly string[] = [
  'start',
  'api',
  'projector',
  'gateway',
  'worker',
  'demo',
  'doctor',
  'history',
  'events',
  'explain',
  'guild show',
  'guild changes',
  'projections',
  'mail',
  'replay',
  'index-messages',
  'verify',
  'export',
  'import',
  'backup',
  'restore',
  'instance',
  'instance get',
  'admin list',
  'deletions',
  'ip-bans',
  'discovery queue',
  'discovery show',
  'store show',
  'discovery sweep',
  'registrations list',
  'registration-url list',
  'audit list',
  'audit guild',
  'audit verify',
]

/** They need stores: `store.test.ts` holds their entries. */
const ofStores: readonly string[] = ['store replay', 'store reconcile']

/** It needs a server whose worker erases: `erase.test.ts` holds its entries. */
const ofErasures: readonly string[] = ['erase']

/** It goes on until it is ended: `watch-account.test.ts` holds its entry. With a token it reads as its holder, and leaves none. */
const ofWatching: readonly string[] = ['watch']

function runnable(command: Command, above = ''): readonly string[] {
  return command.commands.flatMap((each) => {
    const name = `${above}${each.name()}`
    const below = runnable(each, `${name} `)
    return below.length === 0 || name === 'instance' ? [name, ...below] : below
  })
}

describe('the admin audit log', () => {
  it('is written or not by each command, as stated here', () => {
    expect(runnable(program).toSorted()).toStrictEqual(
      [...changing.map(([name]) => name), ...unrecorded, ...ofStores, ...ofErasures, ...ofWatching].toSorted(),
    )
  })

  it.each(changing)('has one entry of the operator for: guildhall %s', async (name, words, entry) => {
    const before = await entries()
    const ended = await site.guildhall([...name.split(' '), ...(await words())])
    expect(ended).toMatchObject({ code: 0 })
    const added = (await entries()).slice(before.length)
    expect(added).toHaveLength(1)
    const by = { adminId: '0', credential: 'command_line' }
    const { metadata = {}, ...rest } = entry()
    expect(ruleOf(added[0]?.action ?? '') ?? accessOf(added[0]?.action ?? '')).not.toBe('write')
    expect(added[0]).toMatchObject({ ...by, ...rest, metadata: { ...(metadata as object), operator: operatorName() } })
  })

  it('has none for a command that is refused', async () => {
    const before = (await site.events()).length
    for (const words of [
      ['admin', 'grant', '12', '*'],
      ['admin', 'revoke', ada.id, '*'],
      ['ban-ip', '127.0.0.1'],
      ['guild', 'disable', '7', 'SEND_MESSAGE'],
      ['guild', 'members', '7'],
      ['guild', 'rename', '7', 'Engine'],
      ['guild', 'kick', home, ada.id],
      ['guild', 'rewind', '7', '--to', '2030-01-31T12:00:00Z'],
      ['discovery', 'restore', home],
      ['registrations', 'reject', waiting[0]],
      ['registration-url', 'revoke', '12'],
    ])
      expect(await site.guildhall(words)).toMatchObject({ code: 1 })
    expect(await site.events()).toHaveLength(before)
  })

  it('holds no secret, and its chain is whole', async () => {
    expect(JSON.stringify(await entries())).not.toContain('CANARY')
    expect(await site.guildhall(['audit', 'verify'])).toMatchObject({ code: 0 })
  })
})
