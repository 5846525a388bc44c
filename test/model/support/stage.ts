import { expect } from 'vitest'
import { sudoHeader } from '../../support/authenticator.ts'
import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import { catchUp, expectNews } from '../news/news.ts'
import type { Cast, ModelCaller } from './cast.ts'
import { outcomeOf, statuses, type Done, type Outcome, type Play, type Refused } from './outcomes.ts'
import { differences } from './differences.ts'
import { getGuild } from '../plays/guilds.ts'
import { listGuildInvites } from '../plays/invites.ts'
import { isUnavailable } from './rules.ts'
import { onlineIn, ordered } from './wire.ts'
import type { ModelGuild, World } from './world.ts'

/** The running server, and the callers that send requests to it. */
export interface Stage {
  readonly guildhall: TestGuildhall
  readonly cast: Cast
  /** The codes of all refusals so far. */
  readonly refusals: Set<string>
  send(caller: ModelCaller, request: Sent): Promise<TestAnswer>
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export function stageOf(guildhall: TestGuildhall, cast: Cast): Stage {
  return {
    guildhall,
    cast,
    refusals: new Set(),
    send: ({ authorization, ip }, { method, path, body, headers = {} }) =>
      guildhall.request(method, path, {
        ...(authorization === undefined ? {} : { token: authorization }),
        ...(body === undefined ? {} : { body }),
        headers: { 'x-forwarded-for': ip, ...headers },
      }),
  }
}

/** Sends a request, compares its answer with the model, and then checks the guild that it changed. */
export async function perform(stage: Stage, world: World, caller: ModelCaller, play: Play): Promise<Outcome> {
  const { proof, headers } = proven(stage.cast, caller, play)
  const body = play.body === undefined ? undefined : { ...(play.body as object), ...proof }
  const outcome = outcomeOf(play.judge)
  const { method, path } = play
  const written = outcome.kind === 'done' && method !== 'GET' ? outcome : undefined
  if (written) await catchUp(stage, world, written)
  const answer = await stage.send(caller, { method, path, headers, ...(body === undefined ? {} : { body }) })
  if (outcome.kind === 'refused') stage.refusals.add(expectRefused(answer, outcome))
  else expectDone(answer, outcome, headers[sudoHeader] ?? null)
  if (written) await expectNews(stage, world, written)
  if (outcome.kind === 'done' && outcome.touches !== undefined) await look(stage, world, outcome.touches)
  return outcome
}

/** The fields that prove a request's caller. */
export function proven(
  cast: Cast,
  caller: ModelCaller,
  { proof, threads }: Pick<Play, 'proof' | 'threads'>,
): { readonly proof: object; readonly headers: Readonly<Record<string, string>> } {
  const headers = threads === true ? { 'x-service-features': 'channel_threads' } : {}
  if (proof === undefined || proof === 'none') return { proof: {}, headers }
  if (caller.person?.hasSecondFactor !== true)
    return {
      proof: { password: proof === 'right' ? (caller.password ?? 'some password') : 'another password' },
      headers,
    }
  if (proof === 'wrong') return { proof: { mfa_method: 'totp', mfa_code: 'no such code' }, headers }
  if (caller.scopes) return { proof: {}, headers }
  return { proof: {}, headers: { ...headers, [sudoHeader]: cast.proofOf(caller) } }
}

/** Returns the code. */
function expectRefused({ status, body }: TestAnswer, { codes, fields, members }: Refused): string {
  const { code, message, errors } = body as Readonly<Record<string, unknown>>
  expect({ code, status, message: typeof message }).toStrictEqual({
    code: codes.length === 1 ? codes[0] : expect.toBeOneOf([...codes]),
    status: statuses[String(code)],
    message: 'string',
  })
  expect(body).toMatchObject(members)
  if (code !== 'INVALID_FORM_BODY') return String(code)
  const listed = (errors as readonly Readonly<Record<string, string>>[]).map(
    (each) => `${each['path']} ${each['code']}`,
  )
  expect(listed).not.toHaveLength(0)
  expect([...new Set([...listed, ...fields])].toSorted()).toStrictEqual([...fields].toSorted())
  return code
}

function expectDone(
  { status, body, headers }: TestAnswer,
  { status: expected, settle, echoesProof, touches }: Done,
  sent: string | null,
): void {
  expect({ status, code: status >= 300 ? (body as { readonly code: unknown }).code : undefined }).toStrictEqual({
    status: expected,
    code: undefined,
  })
  const settled = settle(body)
  // The Gateway counts online members, and hears of a change only afterwards. So the answer to a change may contain an older
  // count.
  const isOnline = (sentence: string): boolean => touches !== undefined && onlineCount.test(sentence)
  if (expected === 200)
    expect(differences(ordered(body), settled).filter((sentence) => !isOnline(sentence))).toStrictEqual([])
  else expect(body).toBeUndefined()
  expect(headers.get(sudoHeader)).toBe(echoesProof === true ? sent : null)
}

const onlineCount = /^it\.presence_count is \d+, not \d+$/

/** Compares Get guild, its invites and its messages, as its owner sees them. */
export async function look(stage: Stage, world: World, id: string): Promise<void> {
  const guild = world.guild(id)
  const owner = guild && world.byId(guild.ownerId)
  if (!guild || !owner?.person || isUnavailable(guild, owner.person)) return
  const wanted = onlineIn(world, guild)
  if (wanted !== (world.onlineCounts.get(id) ?? 0))
    await expect.poll(() => onlineCountOf(stage, owner, id)).toBe(wanted)
  world.onlineCounts.set(id, wanted)
  await perform(stage, world, owner, getGuild(world, owner, id, true))
  await perform(stage, world, owner, listGuildInvites(world, owner, id))
  if (guild.messages.size > 0) await lookAtMessages(stage, guild, owner)
}

async function onlineCountOf({ send }: Stage, owner: ModelCaller, id: string): Promise<unknown> {
  const { body } = await send(owner, { method: 'GET', path: `/v1/guilds/${id}` })
  return (body as { readonly online_count?: unknown }).online_count
}

async function lookAtMessages({ send }: Stage, guild: ModelGuild, owner: ModelCaller): Promise<void> {
  for (const channel of guild.channels ?? []) {
    if (channel.type !== 0) continue
    const answer = await send(owner, { method: 'GET', path: `/v1/channels/${channel.id}/messages?limit=100` })
    const texts = (answer.body as readonly Readonly<Record<string, unknown>>[]).filter(({ type }) => type === 0)
    const expected = [...guild.messages].filter(([, { channelId }]) => channelId === channel.id).map(([id]) => id)
    expect(new Set(texts.map(({ id }) => id))).toStrictEqual(new Set(expected))
  }
}
