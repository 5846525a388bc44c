import { instanceConfigPatch } from '../adapters/http/schemas/administration/instance/instance-config.ts'
import { freshPolicy } from '../domain/instance/fresh-policy.ts'
import { policyWith, type InstancePolicy, type PolicyChanges } from '../domain/instance/policy.ts'
import { WrongSetting, type Settings } from '../process/settings/settings.ts'

/** The policy of a fresh instance, with the changes from INSTANCE_CONFIG. Throws WrongSetting. */
export function instancePolicyIn({ instanceConfig }: Pick<Settings, 'instanceConfig'>): InstancePolicy {
  try {
    return policyWith(freshPolicy, parseInstanceConfig(instanceConfig))
  } catch (error) {
    if (!(error instanceof WrongConfig)) throw error
    throw new WrongSetting(`INSTANCE_CONFIG: ${error.message}`)
  }
}

/** A configuration that can't be used. The message names each wrong path. */
export class WrongConfig extends Error {
  override readonly name = 'WrongConfig'
}

/** Parses changes to the instance's configuration, with the members of the Admin API. Throws WrongConfig. */
export function parseInstanceConfig(patch: unknown): PolicyChanges {
  const parsed = instanceConfigPatch.safeParse(patch)
  if (!parsed.success)
    throw new WrongConfig(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const unknown = unknownIn(patch, instanceConfigPatch.in)
  if (unknown.length > 0) throw new WrongConfig(unknown.map((path) => `${path}: is not known`).join('; '))
  // Turning it on may have to create a guild for the caller, and there is no caller here.
  if (parsed.data.community?.singleCommunity === true)
    throw new WrongConfig('policy.single_community_enabled: can only be turned on over the Admin API')
  return parsed.data
}

/** Paths of members that a schema does not have: an operator's typing mistake, which the API would ignore. */
function unknownIn(value: unknown, schema: unknown, path: readonly string[] = []): readonly string[] {
  const shape = shapeOf(schema)
  if (shape === undefined || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    Object.hasOwn(shape, name)
      ? unknownIn(member, Reflect.get(shape, name), [...path, name])
      : [[...path, name].join('.')],
  )
}

/** The members of an object's schema, seen through `optional`; undefined for any other schema. */
function shapeOf(schema: unknown): object | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  if ('shape' in schema && typeof schema.shape === 'object' && schema.shape !== null) return schema.shape
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? shapeOf(schema.unwrap()) : undefined
}

/** The members that can be changed, each by its path as in `sso.enabled`, with what it means. */
export function instanceConfigMeanings(): ReadonlyMap<string, string> {
  return new Map(meaningsIn(instanceConfigPatch.in))
}

function meaningsIn(schema: unknown, path: readonly string[] = []): readonly (readonly [string, string])[] {
  const shape = shapeOf(schema)
  if (shape === undefined) return [[path.join('.'), descriptionOf(schema)]]
  return Object.entries(shape).flatMap(([name, member]: [string, unknown]) => meaningsIn(member, [...path, name]))
}

function descriptionOf(schema: unknown): string {
  const has = typeof schema === 'object' && schema !== null && 'description' in schema
  return has && typeof schema.description === 'string' ? schema.description : ''
}
