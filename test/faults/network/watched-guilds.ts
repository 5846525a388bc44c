import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../../../process/store.ts'
import { isLong } from '../../support/fault-table.ts'
import {
  acceptInvite,
  applyForDiscovery,
  call,
  createGuild,
  createInvite,
  getGuild,
  leaveGuild,
  register,
  withdrawDiscovery,
  type ApiRequest,
  type FoundedGuild,
  type Person,
} from '../../support/load-api.ts'
import { deliver, nextSerial } from '../../support/load-clients.ts'
import { isSuccess, ledger, type Entry, type Wish } from '../../support/load-ledger.ts'
import { chance, type Chance } from '../../support/load-random.ts'
import { appendFeatures } from '../append-features.ts'
import { factIn, type Watcher } from './watched-facts.ts'
import { watchAs, type WatchingSession } from './watching-session.ts'
import { patience_ms } from '../../support/pace.ts'

/** The current addresses of the product. */
export interface Place {
  /** Begins with http:// */
  apiUrl(): string
  /** The Gateway's address; begins with http:// too. */
  gatewayUrl(): string
  readonly store: Pick<Store, 'events' | 'database'>
}

/** Guilds in which much happens, and sessions that hear it. */
export interface WatchedGuilds {
  readonly watchers: readonly { readonly watcher: Watcher; readonly session: WatchingSession }[]
  readonly owner: Person
  /** One of the guilds, for the test's own requests. */
  readonly guild: FoundedGuild
  readonly entries: readonly Entry[]
  /** A position: sessions hear everything after it. */
  readonly start: bigint
  /** Lets the writers write until `rest`. */
  write(): void
  /** `slow` while a test waits for something else: writers pause longer. `write` begins at the usual pace. */
  pace(pace: Pace): void
  /** Resolves once every started command is answered. */
  rest(): Promise<void>
  /** Lets an account join a guild; resolves with the milliseconds until every session has heard it. */
  mark(): Promise<number>
  close(): void
}

export interface WatchedOptions {
  readonly seed: number
  readonly writers?: number
  /** How many accounts there are for marks. */
  readonly markers?: number
}

const guilds_max = 8
/** Each of them can join each guild once, as a mark. */
const markers_stock = isLong ? 6 : 3
/** The number of sessions of each watcher. */
const sessions = 3
const writers_stock = 6
/** How long a writer pauses after a command: leaves processor time for others. In the long run writers never slow down. */
const pauses_ms = isLong ? { usual: 60, slow: 60 } : { usual: 40, slow: 400 }
type Pace = keyof typeof pauses_ms
const founded_max = 30

interface Setting {
  readonly place: Place
  readonly owner: Person
  readonly guilds: FoundedGuild[]
  readonly comers: readonly Comer[]
  readonly marks: Mark[]
}

/** An account that joins each guild once and leaves it again. */
interface Comer extends Person {
  readonly visited: Set<string>
}

/** A join that is about to happen. */
interface Mark {
  readonly person: Person
  readonly guild: string
  readonly code: string
}

/** Registers people, founds guilds and opens sessions; `seed` decides what the writers do. */
export async function watchedGuilds(place: Place, options: WatchedOptions): Promise<WatchedGuilds> {
  const writers = options.writers ?? writers_stock
  const { setting, guest } = await settle(place, writers, options.markers ?? markers_stock)
  const { owner, guilds } = setting
  const standing = new Set(guilds.map(({ id }) => id))
  const gatewayUrl = (): string => `${place.gatewayUrl().replace('http', 'ws')}/gateway`
  const watchers = Array.from({ length: sessions * 2 }, (_, index) => {
    const isOwner = index % 2 === 0
    const person = isOwner ? owner : guest
    const watcher = { account: person.id, isOwner, guilds: isOwner ? undefined : standing }
    return { watcher, session: watchAs(person, { gatewayUrl, factIn }) }
  })
  await Promise.all(watchers.map(({ session }) => session.ready))
  const start = await place.store.events.end()
  const [guild] = guilds
  if (!guild) throw new Error('There is no guild')
  return { watchers, owner, guild, start, ...activity(setting, watchers, writers, options) }
}

async function settle(
  place: Place,
  writers: number,
  markers_count: number,
): Promise<{ readonly setting: Setting; readonly guest: Person }> {
  const ask = <Answer>(request: ApiRequest<Answer>): Promise<Answer> => call(place.apiUrl(), request)
  const unique = randomUUID().slice(0, 8)
  const numbers = Array.from({ length: 2 + markers_count + writers }, (_, number) => number)
  const people = await Promise.all(numbers.map((number) => ask(register(`p${unique}${number}`))))
  const [owner, guest, ...others] = people
  if (!owner || !guest) throw new Error('Nobody came')
  const founded = await Promise.all(
    Array.from({ length: guilds_max }, async (_, count) => {
      const { id } = await ask(createGuild(owner, `Watched ${count}`))
      const guild = await ask(getGuild(owner, id))
      const { code } = await ask(createInvite(owner, guild.textChannel, { max_uses: 0, max_age: 0 }))
      await ask(acceptInvite(guest, code))
      await appendFeatures(place.store.events, id, ['VERIFIED'])
      return { guild, code }
    }),
  )
  const guilds = founded.map(({ guild }) => guild)
  const markers = others.slice(0, markers_count)
  const marks = founded.flatMap(({ guild, code }) => markers.map((person) => ({ person, guild: guild.id, code })))
  const comers = others.slice(markers_count).map((person) => ({ ...person, visited: new Set<string>() }))
  return { setting: { place, owner, guilds, comers, marks }, guest }
}

type Watchers = WatchedGuilds['watchers']

function activity(setting: Setting, watchers: Watchers, writers: number, options: WatchedOptions) {
  const book = ledger()
  const work = { isOver: true, running: [] as Promise<void>[], founded: 0, pace: 'usual' as Pace }
  const random = chance(options.seed)
  return {
    entries: book.entries,
    write() {
      work.isOver = false
      work.pace = 'usual'
      work.running = Array.from({ length: writers }, async (_, index) => {
        const write = writer(setting, work, (entry) => book.add(entry), random.fork(index), setting.comers[index])
        while (!work.isOver) {
          await write()
          await sleep(pauses_ms[work.pace])
        }
      })
    },
    pace: (pace: Pace) => void (work.pace = pace),
    async rest() {
      work.isOver = true
      await Promise.all(work.running)
    },
    mark: () => mark(setting, watchers),
    close() {
      work.isOver = true
      for (const { session } of watchers) session.close()
    },
  }
}

/**
 * Sends one command after another: guilds, invites, an account that joins every guild once and leaves it, and guilds that go into
 * the directory and out of it.
 */
function writer(
  { place, owner, guilds }: Setting,
  work: { founded: number },
  note: (entry: Entry) => void,
  random: Chance,
  comer: Comer | undefined,
): () => Promise<void> {
  const traffic = { url: () => Promise.resolve(place.apiUrl()) }

  async function command<Answer>(wish: Wish, request: ApiRequest<Answer>): Promise<Answer | undefined> {
    const { answer, attempts } = await deliver(traffic, request, false)
    note({ wish, attempts, answer })
    return answer && isSuccess(answer) ? request.parse(answer.body) : undefined
  }

  return async () => {
    if (random.next() < 0.05 && work.founded < founded_max) {
      work.founded += 1
      const name = `Founded ${nextSerial()}`
      await command({ kind: 'create guild', name, owner: owner.id }, createGuild(owner, name))
      return
    }
    const guild = random.pick(guilds)
    if (!guild) return
    if (random.next() < 0.15) {
      // Whoever of several writers is late is refused, which is right too: the ledger does not have these.
      for (const request of [applyForDiscovery(owner, guild.id), withdrawDiscovery(owner, guild.id)])
        await deliver(traffic, request, false)
      return
    }
    const maxAge = 3600 + nextSerial()
    const request = createInvite(owner, guild.textChannel, { max_uses: 1, max_age: maxAge })
    const made = await command({ kind: 'create invite', guild: guild.id, maxAge }, request)
    if (!made || !comer || comer.visited.has(guild.id)) return
    comer.visited.add(guild.id)
    const going = { guild: guild.id, account: comer.id }
    await command({ kind: 'accept', code: made.code, ...going }, acceptInvite(comer, made.code))
    await command({ kind: 'leave', ...going }, leaveGuild(comer, guild.id))
  }
}

/** A session that had to start again may have begun after the mark. Then the function makes another mark. */
async function mark({ place, marks }: Setting, watchers: Watchers): Promise<number> {
  const began = performance.now()
  for (let next = marks.shift(); next; next = marks.shift()) {
    const lives = watchers.map(({ session }) => session.lives.length)
    const { person, guild, code } = next
    const { answer } = await deliver({ url: () => Promise.resolve(place.apiUrl()) }, acceptInvite(person, code), false)
    if (!answer || !isSuccess(answer)) throw new Error(`The mark was answered with ${JSON.stringify(answer)}`)
    const fact = `joined ${guild} ${person.id}`
    for (;;) {
      const unaware = watchers.filter(({ session }) => !session.lives.at(-1)?.facts.includes(fact))
      if (unaware.length === 0) return performance.now() - began
      if (watchers.some(({ session }, index) => session.lives.length !== lives[index])) break
      if (performance.now() - began > patience_ms) throw new Error(`${unaware.length} sessions were not told of a mark`)
      await sleep(5)
    }
  }
  throw new Error('There are no marks left')
}
