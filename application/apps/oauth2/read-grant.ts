import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import {
  authorizedApplicationObject,
  userinfoObject,
  type UserinfoObject,
} from '../../wire-objects/apps/oauth2-objects.ts'
import type { Ports } from '../../ports.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'

type Needs = Pick<Ports, 'queries'>
type Bearer = Extract<Caller['credential'], { readonly kind: 'bearer' }>

/** The account that an application acts for. Refuses with INVALID_TOKEN if the application was deleted. */
export function getUserinfo(ports: Needs) {
  return async (caller: Caller): Promise<UserinfoObject> => {
    const { scopes } = (await bearerOf(ports, caller)).credential
    return userinfoObject(caller.account, scopes)
  }
}

/** The grant behind a request's access token. Refuses with INVALID_TOKEN in the same case. */
export function getCurrentGrant(ports: Needs) {
  return async (caller: Caller) => {
    const { application, credential } = await bearerOf(ports, caller)
    const { scopes, expiresAt } = credential
    return {
      application: authorizedApplicationObject(application),
      scopes: [...scopes],
      expires: expiresAt,
      ...(scopes.has('identify') ? { user: userinfoObject(caller.account, scopes) } : {}),
    }
  }
}

async function bearerOf(
  { queries }: Needs,
  { credential }: Caller,
): Promise<{ readonly application: ApplicationRecord; readonly credential: Bearer }> {
  if (credential.kind !== 'bearer') return reject('UNAUTHORIZED')
  const application = await queries.applications.find(credential.applicationId)
  return application ? { application, credential } : reject('INVALID_TOKEN')
}
