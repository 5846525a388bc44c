import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateLimits, type LimitSubject } from '../../../domain/limits/evaluate-limits.ts'
import {
  noLimitConfig,
  rulesWithDefaults,
  stockLimits,
  type LimitConfig,
  type LimitRule,
} from '../../../domain/limits/limit-config.ts'
import { limitKeys, limitOf } from '../../../domain/limits/limit-keys.ts'
import { property } from '../../support/property.ts'
import { limitConfigs } from '../../../domain/testing/commands/instance-commands.ts'

const user = (...traits: readonly string[]): LimitSubject => ({ kind: 'user', traits, guildFeatures: [] })
const guild = (...guildFeatures: readonly string[]): LimitSubject => ({ kind: 'guild', traits: [], guildFeatures })
const of = (subject: LimitSubject, ...rules: readonly LimitRule[]) =>
  evaluateLimits({ traitDefinitions: [], rules }, subject, stockLimits)

const rule = (id: string, limits: LimitRule['limits'], filters: Partial<LimitRule['filters']> = {}): LimitRule => ({
  id,
  filters: { traits: [], guildFeatures: [], ...filters },
  limits,
})

describe('the stock limits', () => {
  it('are 43', () => {
    expect(limitKeys).toHaveLength(43)
  })
  it('give a guild 1,000,000 members, and 10,000,000 with VERY_LARGE_GUILD', () => {
    expect(of(guild('BANNER', 'LARGE_GUILD_OVERRIDE')).max_guild_members).toBe(1_000_000)
    expect(of(guild('VERY_LARGE_GUILD')).max_guild_members).toBe(10_000_000)
  })
  it('give a guild 1000 invites, and an account 100 guilds', () => {
    expect(of(guild()).max_guild_invites).toBe(1000)
    expect(of(user()).max_guilds).toBe(100)
  })
  it('give who is premium more guilds, a longer bio, larger files, and every feature', () => {
    expect(of(user('premium'))).toMatchObject({
      max_guilds: 200,
      max_bio_length: 320,
      max_message_length: 4000,
      max_attachment_file_size: 524_288_000,
      feature_animated_avatar: 1,
    })
    expect(of(user()).feature_animated_avatar).toBe(0)
  })
})

describe('a rule', () => {
  it('that names nobody replaces every value that it has', () => {
    const values = of(user(), rule('mine', { max_guilds: 5, max_bio_length: 300 }))
    expect(values).toMatchObject({ max_guilds: 5, max_bio_length: 300, max_relationships: 1000 })
  })
  it('that names traits or features only raises', () => {
    const patrons = rule('patrons', { max_guilds: 150, max_bio_length: 20 }, { traits: ['patron'] })
    expect(of(user('patron'), patrons)).toMatchObject({ max_guilds: 150, max_bio_length: 160 })
    expect(of(user(), patrons).max_guilds).toBe(100)
  })
  it('matches where all that it names is there', () => {
    const filters = { guildFeatures: ['VERIFIED', 'PARTNERED'] }
    const large = rule('large', { max_guild_invites: 3000 }, filters)
    expect(of(guild('VERIFIED'), large).max_guild_invites).toBe(1000)
    expect(of(guild('PARTNERED', 'BANNER', 'VERIFIED'), large).max_guild_invites).toBe(3000)
  })
  it('comes after those that name less, wherever it stands', () => {
    const patrons = rule('patrons', { max_guilds: 50 }, { traits: ['patron'] })
    const everybody = rule('everybody', { max_guilds: 10 })
    expect(of(user('patron'), patrons, everybody).max_guilds).toBe(50)
    expect(of(user('patron'), everybody, patrons).max_guilds).toBe(50)
  })
  it('comes in the order of the document among those that name as much', () => {
    const [first, second] = [rule('first', { max_guilds: 10 }), rule('second', { max_guilds: 20 })]
    expect(of(user(), first, second).max_guilds).toBe(20)
    expect(of(user(), second, first).max_guilds).toBe(10)
  })
  it('speaks of limits of its subject alone: a guild has those of accounts by rules without features', () => {
    const values = { max_guilds: 150, max_guild_invites: 2000, max_message_length: 3000 }
    const everybody = rule('everybody', values)
    expect(of(user(), everybody)).toMatchObject({
      max_guilds: 150,
      max_guild_invites: 1000,
      max_message_length: 3000,
    })
    expect(of(guild('VERIFIED'), everybody)).toMatchObject(values)
    const verified = rule('verified', values, { guildFeatures: ['VERIFIED'] })
    expect(of(guild('VERIFIED'), verified)).toMatchObject({ ...values, max_guilds: 100 })
    const patrons = rule('patrons', values, { traits: ['patron'] })
    const ofPatron = { ...guild('VERIFIED'), traits: ['patron'] }
    expect(of(ofPatron, patrons)).toMatchObject({ ...values, max_guild_invites: 1000 })
    const both = rule('both', values, { traits: ['patron'], guildFeatures: ['VERIFIED'] })
    expect(of(ofPatron, both)).toMatchObject({ ...values, max_guilds: 100 })
  })
  it('may be a default one with other values, for whom it always was', () => {
    expect(of(user(), rule('default', { max_guilds: 7 }))).toMatchObject({ max_guilds: 7, max_bio_length: 160 })
    const premium = rule('premium', { max_guilds: 500 }, { guildFeatures: ['VERIFIED'] })
    expect(of(user('premium'), premium)).toMatchObject({ max_guilds: 500, max_bio_length: 320 })
    expect(of(user(), premium).max_guilds).toBe(100)
  })
  it('of the operator is checked after VERY_LARGE_GUILD', () => {
    expect(of(guild('VERY_LARGE_GUILD'), rule('mine', { max_guild_members: 500 })).max_guild_members).toBe(500)
    expect(of(guild('VERY_LARGE_GUILD'), rule('default', { max_guild_members: 500 })).max_guild_members).toBe(500)
    const same = rule('default', { max_guild_members: 1_000_000 })
    expect(of(guild('VERY_LARGE_GUILD'), same).max_guild_members).toBe(10_000_000)
  })
})

describe('the rules of a document', () => {
  it('have the default ones merged back, and say what of them is modified', () => {
    const config = {
      traitDefinitions: [],
      rules: [rule('mine', {}), rule('default', { max_guilds: 7, max_bookmarks: 50 })],
    }
    const rules = rulesWithDefaults(config, stockLimits)
    expect(rules.map(({ id, modified }) => [id, modified])).toEqual([
      ['default', ['max_guilds']],
      ['premium', []],
      ['mine', []],
    ])
    expect(Object.keys(rules[0]?.limits ?? {})).toHaveLength(43)
  })
})

const subjects = fc.record(
  {
    kind: fc.constantFrom('user' as const, 'guild' as const),
    traits: fc.subarray(['premium', 'patron']),
    guildFeatures: fc.subarray(['VERY_LARGE_GUILD', 'VERIFIED']),
  },
  { noNullPrototype: true },
)
const cases = fc.tuple(limitConfigs(), subjects)

property('every limit always has a value', cases, ([config, subject]) => {
  const values = evaluateLimits(config, subject, stockLimits)
  expect(Object.keys(values).toSorted()).toEqual([...limitKeys].toSorted())
  for (const key of limitKeys) expect(Number.isSafeInteger(values[key])).toBe(true)
})

property('a rule that names somebody never lowers a limit', cases, ([config, subject]) => {
  const isForAll = ({ id, filters }: LimitRule): boolean =>
    id === 'default' || (id !== 'premium' && filters.traits.length + filters.guildFeatures.length === 0)
  const unnamed: LimitConfig = { ...config, rules: config.rules.filter(isForAll) }
  // The operator may remove parts of the premium rule.
  const rules = config.rules.filter(({ id }) => id !== 'premium')
  const [less, more] = [unnamed, { ...config, rules }].map((each) => evaluateLimits(each, subject, stockLimits))
  for (const key of limitKeys) expect(more?.[key]).toBeGreaterThanOrEqual(less?.[key] ?? 0)
})

property('an account has of a guild’s own limits the defaults', cases, ([config, subject]) => {
  const values = evaluateLimits(config, { ...subject, kind: 'user' }, stockLimits)
  for (const key of limitKeys.filter((each) => limitOf(each).scope === 'guild'))
    expect(values[key]).toBe(stockLimits.default[key])
})

property('a document that an operator reads and puts back changes nothing', cases, ([config, subject]) => {
  const again = { ...config, rules: rulesWithDefaults(config, stockLimits) }
  expect(evaluateLimits(again, subject, stockLimits)).toEqual(evaluateLimits(config, subject, stockLimits))
  expect(evaluateLimits(noLimitConfig, subject, stockLimits)).toBeDefined()
})
