import type { Html } from './html.ts'
import { formOf, hiddenFields, type PageRequest } from './page.ts'

/** The pages that somebody can go on to once they have signed in elsewhere. */
const continued = /^\/(?:oauth2\/authorize\?|console\/sign-in\?|invite\/|gift\/)/

/** Whether somebody goes on to this address after a sign-on or a registration: no other one, and none of another site. */
export function isNextPage(address: string | undefined): address is string {
  return address !== undefined && continued.test(address)
}

/** A button that goes on to a page with a session: the page acts with it and ends it. */
export function goOnWith(request: PageRequest, token: string, next: string): Html {
  const [path = '', ...search] = next.split('?')
  const fields = hiddenFields({ step: 'session', session: token, request: search.join('?') })
  return formOf({ ...request, path }, fields, request.texts.goOn)
}
