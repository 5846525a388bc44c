import { expect } from 'vitest'
import { changeGuildFeatures } from '../../../application/administration/guilds/change-guild-features.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { accountId, guildId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { testContext } from '../../support/test-context.ts'
import type { TestAccount, TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'
import type { AroundCommand } from './directory-around.ts'
import type { Command } from './directory-model.ts'
import { guildNames, places, type Answer, type Application, type GuildName } from './directory-world.ts'

/** The guilds that are played with, and who plays. */
export interface Stage {
  readonly guildhall: TestGuildhall
  readonly people: Readonly<Record<string, TestAccount | undefined>>
  readonly ids: Readonly<Record<GuildName, string>>
  /** A word in the names of these guilds alone. */
  readonly word: string
}

type OverHttp = Exclude<Command, { readonly op: 'features' }>

function requestOf({ ids, word }: Stage, wish: OverHttp): readonly [string, string, unknown?] {
  const admin = '/v1/admin/discovery'
  switch (wish.op) {
    case 'apply':
      return ['POST', `/v1/guilds/${ids[wish.guild]}/discovery`, wish.body]
    case 'update':
      return ['PATCH', `/v1/guilds/${ids[wish.guild]}/discovery`, wish.body]
    case 'withdraw':
      return ['DELETE', `/v1/guilds/${ids[wish.guild]}/discovery`]
    case 'status':
      return ['GET', `/v1/guilds/${ids[wish.guild]}/discovery`]
    case 'review':
      return ['PATCH', `${admin}/applications/${ids[wish.guild]}`, wish.body]
    case 'edit':
      return ['PATCH', `${admin}/listings/${ids[wish.guild]}`, wish.body]
    case 'remove':
      return ['DELETE', `${admin}/listings/${ids[wish.guild]}`, wish.body]
    case 'move':
      return [
        'PATCH',
        `${admin}/listings`,
        { guild_ids: wish.guilds.map((each) => ids[each]), category_type: wish.category_type },
      ]
    case 'search': {
      const { category, language } = wish
      const filters = [
        ...(category === undefined ? [] : [`&category=${category}`]),
        ...(language === undefined ? [] : [`&language=${language}`]),
      ]
      return ['GET', `/v1/discovery/guilds?query=${word}${filters.join('')}`]
    }
    case 'join':
      return ['POST', `/v1/discovery/guilds/${ids[wish.guild]}/join`]
    case 'leave':
      return ['DELETE', `/v1/users/@me/guilds/${ids[wish.guild]}`]
    case 'applications':
    case 'listings':
    case 'categories':
      return ['GET', `${admin}/${wish.op}`]
    case 'category':
      return ['GET', `${admin}/categories/${wish.category}/listings?limit=100`]
    case 'publicCategories':
      return ['GET', '/v1/discovery/categories']
    case 'toggle':
      return ['PATCH', `/v1/guilds/${ids[wish.guild]}`, { features: wish.closes ? ['INVITES_DISABLED'] : [] }]
  }
}

/** Sends a request, and gives what the model says of it. */
export async function sent(stage: Stage, wish: Command): Promise<Answer> {
  if (wish.op === 'features') return featured(stage, wish)
  const [method, path, content] = requestOf(stage, wish)
  const { token = '' } = stage.people[wish.by] ?? {}
  const more = content === undefined ? {} : { body: content }
  return answerOf(stage, wish, await stage.guildhall.request(method, path, { token, ...more }))
}

/** A bulk job does this with each of its guilds; the job itself would take a second. */
async function featured(
  { guildhall: { ports }, people, ids }: Stage,
  { by, guild, feature, adds }: Extract<AroundCommand, { readonly op: 'features' }>,
): Promise<Answer> {
  const context = testContext()
  const acting = { account: { id: accountId(snowflake(people[by]?.id ?? '0')) }, context }
  const changes = { add: adds ? [feature] : [], remove: adds ? [] : [feature] }
  try {
    await changeGuildFeatures(ports)(acting, guildId(snowflake(ids[guild])), changes)
    await ports.readModels.reached(context.settled)
    return { status: 200 }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { status: 404, code: error.refusal.code }
  }
}

function answerOf({ ids }: Stage, { op }: OverHttp, { status, body }: TestAnswer): Answer {
  if (status === 204) return { status }
  if (status !== 200) return { status, code: String(Object(body).code) }
  const members = body as Readonly<Record<string, unknown>>
  const inOrder = (items: unknown, member: string): Answer => {
    const there = (items as readonly Readonly<Record<string, unknown>>[]).map((item) => item[member])
    return { status, found: places.filter((place) => there.includes(ids[place])) }
  }
  switch (op) {
    case 'status':
      return { status, application: members['application'] ? shown(members['application']) : null }
    case 'move': {
      const failed = (members['failed_guild_ids'] as readonly string[]).map(
        (id) => guildNames.find((name) => ids[name] === id) ?? 'nowhere',
      )
      return { status, moved: { updated: Number(members['updated']), failed } }
    }
    case 'search':
      return inOrder(members['guilds'], 'id')
    case 'applications':
    case 'listings':
    case 'category':
      return inOrder(body, 'guild_id')
    case 'categories':
    case 'publicCategories':
      return { status, categories: (body as readonly unknown[]).length }
    case 'toggle':
      return { status }
    default:
      return { status, application: shown(body) }
  }
}

/** An application without its id and its times, which are there exactly where its status says so. */
function shown(content: unknown): Application {
  const {
    guild_id: _,
    applied_at: __,
    reviewed_at: reviewed,
    removed_at: removed,
    ...rest
  } = content as Readonly<Record<string, unknown>>
  expect(reviewed === null).toBe(rest['status'] === 'pending')
  expect(removed === null).toBe(rest['status'] !== 'removed')
  return rest as unknown as Application
}
