import type { BrandingAsset } from '../../../domain/instance/policy.ts'
import { mayByAcl } from '../acls/acl-bound.ts'
import type { Caller } from '../../caller.ts'
import { readOrRefuse } from '../../images/read-image.ts'
import { removeReplaced, type ReplacingNeeds } from '../../images/remove-replaced.ts'
import type { InstanceConfigObject } from '../../wire-objects/administration/instance-config-schema.ts'
import { readInstanceConfig, type ConfigNeeds } from './read-instance-config.ts'

/** A branding image of the instance as sent; null removes it, undefined leaves it as it is. */
export interface SentBrandingAsset {
  readonly kind: BrandingAsset
  readonly image?: Uint8Array | null | undefined
}

/**
 * Sets or removes a branding image of the instance. The previous image is removed afterwards. Refuses as `readOrRefuse`
 * does, and with MISSING_PERMISSIONS for callers admitted by the setup alone, once it is over.
 */
export function setBrandingAsset(ports: ConfigNeeds & ReplacingNeeds) {
  return async (caller: Caller, { kind, image: bytes }: SentBrandingAsset): Promise<InstanceConfigObject> => {
    if (bytes === undefined) return readInstanceConfig(ports)(caller)
    const { instancePolicies } = ports
    const image = bytes && (await readOrRefuse(ports, caller, 'image', bytes))
    const named = async (): Promise<string | null> => (await instancePolicies.current()).branding[kind]
    const before = await named()
    const location = { kind: 'branding', owner: kind } as const
    const after = image && (await image.store(location)).hash
    const duringSetup = !mayByAcl(caller, 'instance:config:update')
    await instancePolicies.change({ branding: { [kind]: after } }, caller.context, { duringSetup })
    removeReplaced(ports, location, { before, after }, named)
    return readInstanceConfig(ports)(caller)
  }
}
