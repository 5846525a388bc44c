import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../gateway/support/client.ts'
import { identifyOf } from '../gateway/support/facts.ts'
import type { TestGuildhall } from '../support/test-guildhall.ts'
import { fold, type Told } from './fold.ts'
import { patience_ms } from '../support/pace.ts'

/** The account of a session, and whether it moderates the threads of all its guilds. */
export interface Viewer {
  readonly id: string
  /** The value for Authorization. */
  readonly token: string
  readonly isBot: boolean
  readonly moderates: boolean
}

/** Where requests and sessions go. Both functions are called again for each use. */
export interface Entrance {
  readonly request: TestGuildhall['request']
  /** Begins with ws://. */
  readonly gatewayUrl: () => string
}

/** A Gateway session that understands threads and keeps what it hears. */
export interface FoldingSession {
  readonly viewer: Viewer
  readonly client: Client
  /** What it knows now. */
  told(): Told
  end(): void
}

const thread_access_flags = 4
/** The Gateway ends a session that is silent for 45 s. */
const heartbeat_ms = 15_000

/** Connects; resolves with READY. */
export async function folding(viewer: Viewer, { gatewayUrl }: Pick<Entrance, 'gatewayUrl'>): Promise<FoldingSession> {
  const client = new Client(`${gatewayUrl()}/gateway?v=1`)
  await client.op(10)
  const token = viewer.token.replace('Bot ', '')
  client.send(2, identifyOf({ token }, { flags: thread_access_flags }))
  await client.dispatch('READY')
  const beating = setInterval(() => client.send(1, client.sequence), heartbeat_ms)
  return {
    viewer,
    client,
    told: () => fold(client.dispatches, viewer),
    end() {
      clearInterval(beating)
      client.close()
    },
  }
}

/** Pauses between checks: an account may have only so many sessions, and each check takes one. */
const pauses_ms = [50, 100, 200, 400, 800, 1600, 3200]

/**
 * The lasting differences between what sessions know and what they would find if they connected anew, over the Gateway and over
 * HTTP. Checks again for a while, since dispatches may still be on their way; the remaining differences are lasting.
 */
export async function lastingDifferences(
  sessions: readonly FoldingSession[],
  entrance: Entrance,
): Promise<readonly string[]> {
  const look = async () => (await Promise.all(sessions.map((session) => differences(session, entrance)))).flat()
  let found = await look()
  for (const pause_ms of pauses_ms) {
    if (found.length === 0) return found
    await sleep(pause_ms)
    found = await look()
  }
  return found
}

async function differences(session: FoldingSession, entrance: Entrance): Promise<readonly string[]> {
  const { viewer } = session
  const fresh = await folding(viewer, entrance)
  try {
    if (viewer.isBot) await awaitGuilds(fresh, session)
    const unfound = await foundOverHttp(session, entrance)
    const [known, anew] = [shownIn(session.told(), viewer), shownIn(fresh.told(), viewer)]
    const both = [
      ...known.filter((fact) => !anew.includes(fact)).map((fact) => `is told alone: ${fact}`),
      ...anew.filter((fact) => !known.includes(fact)).map((fact) => `was not told: ${fact}`),
    ]
    return [...both, ...unfound].map((difference) => `${viewer.id} ${difference}`)
  } finally {
    fresh.end()
  }
}

/** The Gateway sends a bot its guilds one by one after READY. */
async function awaitGuilds(fresh: FoldingSession, { told }: FoldingSession): Promise<void> {
  const guilds = told().guilds.size
  const deadline = Date.now() + patience_ms
  while (fresh.told().guilds.size < guilds && Date.now() < deadline) await sleep(5)
}

/** What READY would say about what a client knows. */
function shownIn({ guilds, threads, privateChannels }: Told, { isBot }: Viewer): readonly string[] {
  return [
    ...[...guilds].flatMap(([id, { channels, roles, ownRoles, memberCount }]) => [
      `guild ${id} of ${memberCount}`,
      ...[...channels].map((channel) => `channel ${channel} of ${id}`),
      ...[...roles].map((role) => `role ${role} of ${id}`),
      ...ownRoles.map((role) => `own role ${role} in ${id}`),
    ]),
    ...[...threads].flatMap(([id, { guild, parent, isArchived, hasJoined }]) =>
      !isArchived && (isBot || hasJoined)
        ? [`thread ${id} in ${parent} of ${guild}${hasJoined ? ', joined' : ''}`]
        : [],
    ),
    ...[...privateChannels].map(([id, others]) => `private channel ${id} of ${[...others].toSorted().join(' ')}`),
  ]
}

const publicThread = 11
const threadsHeader = { 'x-service-features': 'channel_threads' }

/** What a client knows but cannot reach: threads, messages and invites that do not exist. */
async function foundOverHttp({ viewer, told }: FoldingSession, { request }: Entrance): Promise<readonly string[]> {
  const { threads, messages, invites, guilds, privateChannels } = told()
  const places = new Set([...guilds.values()].flatMap(({ channels }) => [...channels]))
  const get = (path: string) => request('GET', path, { token: viewer.token, headers: threadsHeader })
  // READY shows nobody the public threads that it has not joined, and messages there come nevertheless. So it is where a channel
  // went out of sight and came back.
  const isThreadIn = async (channels: ReadonlySet<string>, id: string): Promise<boolean> => {
    const { status, body } = await get(`/v1/channels/${id}`)
    const { type, parent_id: parent } = body as Readonly<Record<string, unknown>>
    return status === 200 && type === publicThread && channels.has(String(parent))
  }
  const unreachable = [...threads.keys()].map(async (id) => {
    const { status } = await get(`/v1/channels/${id}`)
    return status === 200 ? [] : [`knows thread ${id}, which answers ${status}`]
  })
  const unread = [...messages].map(async ([channel, ids]) => {
    if (ids.size === 0) return []
    if (![places, threads, privateChannels].some((known) => known.has(channel)) && !(await isThreadIn(places, channel)))
      return [`knows messages in ${channel}, which it does not know`]
    const { status, body } = await get(`/v1/channels/${channel}/messages?limit=100`)
    if (status !== 200) return [`knows messages in ${channel}, which answers ${status}`]
    const there = new Set((body as readonly { readonly id: string }[]).map(({ id }) => id))
    return [...ids].filter((id) => !there.has(id)).map((id) => `knows message ${id} in ${channel}, which is not there`)
  })
  const unlisted = [...guilds.keys()].map(async (guild) => {
    const { status, body } = await get(`/v1/guilds/${guild}/invites`)
    if (status !== 200) return []
    const listed = (body as readonly { readonly code: string }[]).map(({ code }) => code)
    const known = [...invites].flatMap(([code, of]) => (of === guild ? [code] : []))
    return [
      ...known.filter((code) => !listed.includes(code)).map((code) => `knows invite ${code}, which is not listed`),
      ...listed.filter((code) => !known.includes(code)).map((code) => `was not told of invite ${code}`),
    ]
  })
  return (await Promise.all([...unreachable, ...unread, ...unlisted])).flat()
}
