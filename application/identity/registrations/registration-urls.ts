import { registrationUrlId, type RegistrationUrlId } from '../../../domain/ids/ids.js'
import type { Timestamp } from '../../../domain/kernel/timestamp.js'
import type { CommandContext } from '../../commands/command-context.js'
import {
  registrationUrlObject,
  type RegistrationUrlObject,
} from '../../wire-objects/administration/registration-objects.js'
import type { Ports } from '../../ports.js'
import { newRegistrationCode, registrationCodeHash } from './registration-code.js'

/** What a registration URL is to offer (reference identity 8.6); null stands for what was not given. */
export interface RegistrationUrlWishes {
  /** 1-120 characters. */
  readonly label: string | null
  readonly expiresAt: Timestamp | null
  /** 1-1000000. */
  readonly maxUses: number | null
  readonly approvalRequired: boolean
}

/** A URL that was just made: the only time at which its code is told. */
export interface NewRegistrationUrl {
  readonly registration_url: RegistrationUrlObject
  readonly code: string
  readonly url: string
}

/** Makes a registration URL; of its code only a hash is kept. Whoever acts by the context has made it. Reference identity 8.6. */
export function createRegistrationUrl({ aggregates, instance }: Pick<Ports, 'aggregates'> & { instance: Webapp }) {
  return async (context: CommandContext, wishes: RegistrationUrlWishes): Promise<NewRegistrationUrl> => {
    const { actor, now } = context
    const code = newRegistrationCode(context)
    const id = registrationUrlId(context.newId())
    const createdBy = actor.kind === 'system' ? null : actor.kind === 'account' ? actor.id : actor.accountId
    const made = { ...wishes, createdBy, createdAt: now }
    const terms = { ...made, registrationUrlId: id, codeHash: registrationCodeHash(code) }
    await aggregates.registrationUrl.execute(id, { type: 'CreateRegistrationUrl', terms }, context, 'initial')
    const unused = { useCount: 0, revokedAt: null, lastUsedAt: null, lastUsedBy: null }
    // The code stands behind the hash sign, which browsers send to no server.
    const url = `${instance.publicUrl}/register#code=${code}`
    return { registration_url: registrationUrlObject({ ...made, ...unused, id }), code, url }
  }
}

/** Where the web app is. */
type Webapp = Pick<Ports['instance'], 'publicUrl'>

/** The registration URLs that were made, newest first, at most `listedRegistrations_max`. */
export function listRegistrationUrls({ queries }: { readonly queries: Pick<Ports['queries'], 'registrations'> }) {
  return async (): Promise<readonly RegistrationUrlObject[]> =>
    (await queries.registrations.urls()).map(registrationUrlObject)
}

/** Makes a registration URL worthless; who came by it stays. One that is not there changes nothing. Reference identity 8.6. */
export function revokeRegistrationUrl({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (context: CommandContext, id: RegistrationUrlId): Promise<void> => {
    await aggregates.registrationUrl.execute(id, { type: 'RevokeRegistrationUrl' }, context)
  }
}
