import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLong } from './fault-table.ts'
import {
  acceptInvite,
  createGuild,
  createInvite,
  getGuild,
  leaveGuild,
  register,
  send,
  type ApiAnswer,
  type ApiRequest,
  type FoundedGuild,
  type Person,
} from './load-api.ts'
import { isSuccess, type Ledger, type Wish } from './load-ledger.ts'
import type { Chance } from './load-random.ts'

/** Where the product is now, and whether clients may begin another command. */
export interface Traffic {
  /** Resolves with the product's URL once it accepts requests. */
  url(): Promise<string>
  /** Resolves when a client may begin another command; false once the load is over. */
  mayGoOn(): Promise<boolean>
  readonly ledger: Ledger
  /** Whether no client gives up an unanswered command. By default one in `forgetful` is given up. */
  readonly patient?: boolean
  /** How long a client pauses after a command. Default: `clientPause_ms`. */
  readonly pause_ms?: number
}

interface Invite {
  readonly code: string
  readonly guild: string
}

/** What the clients share: the invites that they pass to each other. */
export interface Market {
  readonly invites: Invite[]
}

interface Member extends Person {
  /** Guilds that the client has joined by invite and may leave. */
  readonly joined: Set<string>
  /** Guilds that the client is done with, and codes that it has tried: nothing is tried twice. */
  readonly closed: Set<string>
}

interface Own extends FoundedGuild {
  readonly owner: Person
}

const retry_ms = isLong ? 20 : 60
/**
 * How long a client pauses after a command. Without it, clients take all of the processor for as long as a test waits for something
 * else, such as the start of a process.
 */
export const clientPause_ms = isLong ? 15 : 30
/** The pause while a test waits for something else. In the long run clients never slow down. */
export const slowPause_ms = isLong ? clientPause_ms : 300
const invitesKept_max = 12
/** One command in this many is sent once and forgotten if it is not answered. */
const forgetful = 20
let serial = 0

/** A number that no other client of this process gets: names and ages of invites are told apart by it in a history that many write. */
export const nextSerial = (): number => (serial += 1)

/**
 * Runs one client, one command after another with a short pause, until the load is over: it registers people, creates guilds,
 * invites, accepts and leaves.
 */
export async function runClient(label: string, traffic: Traffic, market: Market, random: Chance): Promise<void> {
  const client = clientOf(label, traffic, market, random)
  await client.arrive()
  while (await traffic.mayGoOn()) {
    await client.act()
    await sleep(traffic.pause_ms ?? clientPause_ms)
  }
}

function clientOf(label: string, traffic: Traffic, market: Market, random: Chance) {
  const people: Member[] = []
  const guilds: Own[] = []

  /** Sends a command until it is answered, with one key; undefined if it was given up. */
  async function command<Answer>(wish: Wish, request: ApiRequest<Answer>): Promise<Answer | undefined> {
    const givesUp = random.between(1, forgetful) === 1 && traffic.patient !== true
    const { answer, attempts } = await deliver(traffic, request, givesUp)
    traffic.ledger.add({ wish, attempts, answer })
    return answer && isSuccess(answer) ? request.parse(answer.body) : undefined
  }

  async function arrive(): Promise<void> {
    const username = `${label}x${nextSerial()}`
    const person = await command({ kind: 'register', username }, register(username))
    if (person) people.push({ ...person, joined: new Set(), closed: new Set() })
  }

  async function found(owner: Member): Promise<void> {
    const name = `${label} ${nextSerial()}`
    const guild = await command({ kind: 'create guild', name, owner: owner.id }, createGuild(owner, name))
    if (!guild) return
    owner.closed.add(guild.id)
    const request = getGuild(owner, guild.id)
    const { answer } = await deliver(traffic, request, false)
    // A client reads its new guild at once: callers read their own writes.
    if (!answer || !isSuccess(answer)) throw new Error(`A new guild can't be read: ${JSON.stringify(answer)}`)
    guilds.push({ ...request.parse(answer.body), owner })
  }

  async function invite({ id, textChannel, owner }: Own): Promise<void> {
    const maxAge = 3600 + nextSerial()
    const wishes = { max_uses: random.between(1, 3), max_age: maxAge }
    const made = await command({ kind: 'create invite', guild: id, maxAge }, createInvite(owner, textChannel, wishes))
    if (!made) return
    market.invites.push({ code: made.code, guild: id })
    if (market.invites.length > invitesKept_max) market.invites.shift()
  }

  async function accept(member: Member, { code, guild }: Invite): Promise<void> {
    member.closed.add(code)
    member.closed.add(guild)
    const accepted = await command({ kind: 'accept', code, guild, account: member.id }, acceptInvite(member, code))
    if (accepted) member.joined.add(guild)
  }

  async function leave(member: Member, guild: string): Promise<void> {
    member.joined.delete(guild)
    await command({ kind: 'leave', guild, account: member.id }, leaveGuild(member, guild))
  }

  async function act(): Promise<void> {
    const member = random.pick(people)
    const draw = random.next()
    if (!member || draw < 0.08) return arrive()
    if (draw < 0.18 || guilds.length === 0) return found(member)
    const own = random.pick(guilds)
    if (draw < 0.48 && own) return invite(own)
    const offer = random.pick(
      market.invites.filter(({ code, guild }) => !member.closed.has(code) && !member.closed.has(guild)),
    )
    if (draw < 0.85 && offer) return accept(member, offer)
    const guild = random.pick([...member.joined])
    if (guild) return leave(member, guild)
    return own ? invite(own) : arrive()
  }

  return { arrive, act }
}

interface Delivery {
  readonly answer: ApiAnswer | undefined
  readonly attempts: number
}

/**
 * Sends a request with one Idempotency-Key until it is answered, across any number of restarts; or sends it once, and gives up.
 */
export async function deliver(traffic: Pick<Traffic, 'url'>, request: ApiRequest, givesUp: boolean): Promise<Delivery> {
  const key = request.method === 'POST' ? randomUUID() : undefined
  for (let attempts = 1; ; attempts += 1) {
    const answer = await attempt(await traffic.url(), request, key)
    if (answer || givesUp) return { answer, attempts }
    await sleep(retry_ms)
  }
}

/**
 * The answer, or undefined if there is none yet: the connection broke, or the server reports that it can't serve now, or that
 * an act with unknown outcome still holds what this one needs.
 */
async function attempt(url: string, request: ApiRequest, key: string | undefined): Promise<ApiAnswer | undefined> {
  try {
    const answer = await send(url, request, key)
    return answer.status === 503 || isHeld(answer) ? undefined : answer
  } catch (error) {
    // fetch throws these when a connection breaks. Anything else is a mistake in the test.
    if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return undefined
    throw error
  }
}

function isHeld({ body }: ApiAnswer): boolean {
  return typeof body === 'object' && body !== null && 'code' in body && body.code === 'RESOURCE_LOCKED'
}
