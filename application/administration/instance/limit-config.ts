import type { LimitConfig } from '../../../domain/limits/limit-config.ts'
import type { Caller } from '../../caller.ts'
import { limitConfigObject, type LimitConfigObject } from '../../wire-objects/administration/limit-config-object.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'instance' | 'limits'>

/** The limit configuration: the operator's rules and the default ones. */
export function readLimitConfig({ instance, limits }: Needs) {
  return async (): Promise<LimitConfigObject> =>
    limitConfigObject(await limits.config(), limits.defaults, instance.hosted)
}

/** Replaces the operator's rules, and gives them merged with the default rules. See rules/administration#limits. */
export function changeLimitConfig({ instance, limits }: Needs) {
  return async ({ context }: Caller, config: LimitConfig): Promise<LimitConfigObject> =>
    limitConfigObject(await limits.change(config, context), limits.defaults, instance.hosted)
}
