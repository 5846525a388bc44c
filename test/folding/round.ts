import { setTimeout as sleep } from 'node:timers/promises'
import { bodyOf, type TestGuild } from '../operations/support/answers.ts'
import { relationsOn } from '../operations/support/relationships.ts'
import type { TestAnswer } from '../support/test-guildhall.ts'
import { folding, lastingDifferences, type Entrance, type FoldingSession, type Viewer } from './folding-session.ts'
import { foundGuild, layGround, sendingOn, type Cast, type Ground, type Person } from './ground.ts'
import { moves, type MoveName } from './moves.ts'

/** A product that rounds are played on. */
export interface Arena extends Entrance {
  readonly register: () => Promise<Person>
  /** Returns a bot that it adds to some guilds; without this function no bot plays. */
  readonly bot?: (owner: Person, guilds: readonly TestGuild[]) => Promise<Pick<Viewer, 'id' | 'token'>>
}

/** One move, and how long after the others began it is made. */
export interface Step {
  readonly move: MoveName
  readonly after_ms: number
}

/** New people in a guild of their own, each with a session, and a client that waits for what is sent. */
export interface Round {
  /** Makes the moves side by side; returns their statuses when all are answered. */
  play(steps: readonly Step[]): Promise<readonly number[]>
  /** Makes one move. */
  move(name: MoveName): Promise<TestAnswer>
  /** What sessions have permanently wrong, each as a sentence. */
  differences(): Promise<readonly string[]>
  end(): void
}

/** Gathers people and prepares their guild. */
export async function newRound(arena: Arena): Promise<Round> {
  const cast = await friends(arena)
  const [haven, guild] = await Promise.all([foundGuild(arena.request, cast), foundGuild(arena.request, cast)])
  const bot = await arena.bot?.(cast.owner, [haven, guild])
  const viewers: readonly Viewer[] = [
    { ...cast.owner, isBot: false, moderates: true },
    { ...cast.member, isBot: false, moderates: false },
    { ...cast.guest, isBot: false, moderates: false },
    ...(bot ? [{ ...bot, isBot: true, moderates: false }] : []),
  ]
  const sessions = await Promise.all(viewers.map((viewer) => folding(viewer, arena)))
  await Promise.all(sessions.filter(({ viewer }) => viewer.isBot).map(({ client }) => client.dispatch('GUILD_CREATE')))
  const ground = await layGround(arena.request, cast, guild)
  return {
    play: (steps) => play(arena, ground, cast, steps),
    move: (name) => moves[name](sendingOn(arena.request), ground, cast),
    async differences() {
      await mark(arena, cast, haven, sessions)
      return lastingDifferences(sessions, arena)
    },
    end() {
      for (const session of sessions) session.end()
    },
  }
}

/** Three new people, each a friend of the others. */
async function friends({ register, request }: Arena): Promise<Cast> {
  const [owner, member, guest] = await Promise.all([register(), register(), register()])
  const { ask, accept } = relationsOn({ request })
  const befriend = async (one: Person, other: Person): Promise<void> => {
    bodyOf(await ask(one, other))
    bodyOf(await accept(other, one))
  }
  for (const [one, other] of [
    [owner, member],
    [owner, guest],
    [member, guest],
  ] as const)
    await befriend(one, other)
  return { owner, member, guest }
}

function play({ request }: Arena, ground: Ground, cast: Cast, steps: readonly Step[]): Promise<readonly number[]> {
  const send = sendingOn(request)
  return Promise.all(
    steps.map(async ({ move, after_ms }) => {
      await sleep(after_ms)
      return (await moves[move](send, ground, cast)).status
    }),
  )
}

/** Waits until every session has heard everything that happened: a message is sent after the events before it. */
async function mark(
  { request }: Arena,
  { owner }: Cast,
  { channel }: TestGuild,
  sessions: readonly FoldingSession[],
): Promise<void> {
  const { id } = bodyOf(await sendingOn(request)(owner, 'POST', `/channels/${channel}/messages`, { content: 'Mark' }))
  await Promise.all(
    sessions.map(({ client }) => client.until(({ t, d }) => t === 'MESSAGE_CREATE' && d['id'] === id, 'the mark')),
  )
}
