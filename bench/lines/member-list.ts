import { hash } from 'node:crypto'
import type { AccountId } from '../../domain/ids/ids.ts'
import { dispatchText } from '../../gateway/protocol/frame.ts'
import type { ChannelList } from '../../gateway/member-lists/channel-list.ts'
import { Look } from '../../gateway/member-lists/look.ts'
import { pauses } from '../../gateway/member-lists/pauses.ts'
import { Roster } from '../../gateway/member-lists/roster.ts'
import { Sender } from '../../gateway/member-lists/sender.ts'
import type { Link } from '../../gateway/visibility/room.ts'
import { crowdedLinks, crowdedRoom, home, listedMembers, talk, type Listed } from '../gateway/listed-crowd.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison, type Sample } from '../support/rounds.ts'
import { timed, timeOf } from '../support/timed.ts'

const members_count = 100_000
const sessions_count = 1000
/** As long as the row of a member is. */
const rows = new Map<AccountId, string>()
function rowOf(id: AccountId): string {
  const row = rows.get(id) ?? JSON.stringify({ member: { user: { id, username: 'x'.repeat(400) } } })
  rows.set(id, row)
  return row
}
const spans = [
  { from: 0, to: 99 },
  { from: 100, to: 199 },
]
/** Who changes: members whose rows lie all over the list. */
const step = 7919

/**
 * One member of a list of 100,000 goes online or offline, up to the frames of 1,000 sessions that look at two ranges each, beside a
 * list that is sorted anew for each change. And the first build of the list, beside one sort that holds the event loop.
 */
export async function memberListLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const members = listedMembers(members_count)
  const product = await watchedList(members)
  const baseline = sortedList(members, product.links)
  const changes = await compare({
    line: 'member list: a change',
    unit: '1/s (by p50)',
    rounds,
    baseline: () => timed(seconds, async (turn) => baseline.change((turn * step) % members_count), 2),
    product: () => timed(seconds, async (turn) => product.change((turn * step) % members_count)),
  })
  const moves = await timed(seconds, async (turn) => product.move((turn * step) % members_count))
  const build = await compare({
    line: 'member list: the first build',
    unit: '1/min (by p50)',
    rounds,
    baseline: async () => perMinute(await timed(seconds, async () => void sortedRows(members, new Set()), 1)),
    product: async () => perMinute(await builds(members, seconds)),
  })
  return [
    withTimes(changes, `; the rows alone p50 ${((moves.details['p50_ms'] ?? 0) * 1000).toFixed(0)} µs`),
    withTimes(build, `; the event loop is held at most ${held_ms(build)} ms of processor time at once`),
  ]
}

interface Watched {
  readonly links: readonly Link[]
  readonly sent: { bytes: number }
  /** Changes a member without telling of it. */
  move(index: number): void
  /** Changes a member, and tells everybody who looks at rows that are others now. */
  change(index: number): void
}

/** Every second member is online, so that rows of the ranges move. */
const isOnline = (account: string): boolean => Number(account) % 2 === 0

async function watchedList(members: readonly Listed[]): Promise<Watched> {
  const roster = filled(members)
  const { room } = roster
  const sent = { bytes: 0 }
  const links = crowdedLinks(room, sessions_count, (bytes) => (sent.bytes += bytes))
  const channel = room.guild.channels.find(({ id }) => id === talk)
  if (!channel) throw new Error('there is no channel')
  const list = roster.listOf(channel)
  await roster.build(list, pauses())
  for (const link of links) new Look(link, talk, spans, roster).place(channel, list)
  const away = new Set<AccountId>()
  const move = (index: number): void => {
    const account = members[index]?.accountId
    if (account === undefined) return
    if (!away.delete(account)) away.add(account)
    roster.change(account, { isOnline: isOnline(account) !== away.has(account) })
  }
  return {
    links,
    sent,
    move,
    change(index) {
      move(index)
      send(list)
    },
  }
}

function filled(members: readonly Listed[]): Roster {
  const roster = new Roster(crowdedRoom(members_count))
  roster.fill(members, isOnline)
  roster.isFilled = true
  return roster
}

function send(list: ChannelList): void {
  list.takeChanges(Number.POSITIVE_INFINITY, 0)
  const settings = {
    texts: { of: (_guild: unknown, account: AccountId) => rowOf(account) },
    recent: { handled: 1n },
    onDispatched: () => undefined,
  }
  const sender = new Sender(settings, Number.POSITIVE_INFINITY)
  for (const watch of list.due) if (sender.send(home, list, watch) === 'done') list.due.delete(watch)
}

/** A list that is made anew for each change, and sent to all who look at a range that differs. */
function sortedList(members: readonly Listed[], links: readonly Link[]) {
  const offline = new Set(members.filter(({ accountId }) => !isOnline(accountId)).map(({ accountId }) => accountId))
  const versions = new Map<number, string>()
  return {
    change(index: number): void {
      const account = members[index]?.accountId
      if (account === undefined) return
      if (!offline.delete(account)) offline.add(account)
      const listed = sortedRows(members, offline)
      const heading = JSON.stringify({ group: { id: 'online', count: listed.length } })
      for (const { from, to } of spans) {
        const items = listed.slice(from, to + 1).map(({ accountId }) => rowOf(accountId))
        const version = hash('sha1', from === 0 ? heading + items.join(',') : items.join(','), 'base64')
        if (versions.get(from) === version) continue
        versions.set(from, version)
        const frame = dispatchText('GUILD_MEMBER_LIST_UPDATE', `{"items":[${heading},${items.join(',')}]}`)
        for (const { session } of links) session.answer('GUILD_MEMBER_LIST_UPDATE', frame)
      }
    },
  }
}

function sortedRows(members: readonly Listed[], offline: ReadonlySet<string>): readonly Listed[] {
  return members
    .filter(({ accountId }) => !offline.has(accountId))
    .toSorted((one, other) => (one.accountName < other.accountName ? -1 : 1))
}

async function builds(members: readonly Listed[], seconds: number): Promise<Sample> {
  const roster = filled(members)
  const channel = roster.room.guild.channels.find(({ id }) => id === talk)
  if (!channel) throw new Error('there is no channel')
  let longest_ms = 0
  const sample = await timed(
    seconds,
    async () => {
      roster.dropUnwatched()
      const breaks = pauses()
      let before = process.cpuUsage()
      const measured = {
        isDue: () => breaks.isDue(),
        async next() {
          const { user, system } = process.cpuUsage(before)
          longest_ms = Math.max(longest_ms, (user + system) / 1000)
          await breaks.next()
          before = process.cpuUsage()
        },
      }
      await roster.build(roster.listOf(channel), measured)
    },
    1,
  )
  return { ...sample, details: { ...sample.details, longest_ms } }
}

function perMinute(sample: Sample): Sample {
  return { ...sample, rate: sample.rate * 60 }
}

function held_ms({ samples }: Comparison): string {
  return Math.max(...samples.map(({ product }) => product.details['longest_ms'] ?? Number.NaN)).toFixed(1)
}

function withTimes(comparison: Comparison, more: string): Comparison {
  const of = (side: 'product' | 'baseline'): string =>
    `p50 ${timeOf(comparison, side, 'p50_ms').toFixed(2)} ms, p99 ${timeOf(comparison, side, 'p99_ms').toFixed(2)} ms`
  return {
    ...comparison,
    notes: [
      `${members_count.toLocaleString('en')} members, ${sessions_count.toLocaleString('en')} sessions that look: ${of('product')}; sorted anew ${of('baseline')}${more}`,
    ],
  }
}
