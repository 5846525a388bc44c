import { registrationUrlId, type RegistrationUrlId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import {
  registrationUrlObject,
  type RegistrationUrlObject,
} from '../../wire-objects/administration/registration-objects.ts'
import type { Ports } from '../../ports.ts'
import { newRegistrationCode, registrationCodeHash } from './registration-code.ts'

/** The terms of a new registration URL; null for members that were not sent. */
export interface RegistrationUrlWishes {
  /** 1-120 characters. */
  readonly label: string | null
  readonly expiresAt: Timestamp | null
  /** 1-1000000. */
  readonly maxUses: number | null
  readonly approvalRequired: boolean
}

/** A new URL. Its code is shown only here. */
export interface NewRegistrationUrl {
  readonly registration_url: RegistrationUrlObject
  readonly code: string
  readonly url: string
}

/** Creates a registration URL and stores only a hash of its code. The context's actor is its creator. */
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
    // The code is in the fragment, which browsers send to no server.
    const url = `${instance.webappUrl}/register#code=${code}`
    return { registration_url: registrationUrlObject({ ...made, ...unused, id }), code, url }
  }
}

/** The base URL of the web app. */
type Webapp = Pick<Ports['instance'], 'webappUrl'>

/** The registration URLs, newest first, at most `listedRegistrations_max`. */
export function listRegistrationUrls({ queries }: { readonly queries: Pick<Ports['queries'], 'registrations'> }) {
  return async (): Promise<readonly RegistrationUrlObject[]> =>
    (await queries.registrations.urls()).map(registrationUrlObject)
}

/** Revokes a registration URL; accounts registered by it stay. An unknown one changes nothing. */
export function revokeRegistrationUrl({ aggregates }: Pick<Ports, 'aggregates'>) {
  return async (context: CommandContext, id: RegistrationUrlId): Promise<void> => {
    await aggregates.registrationUrl.execute(id, { type: 'RevokeRegistrationUrl' }, context)
  }
}
