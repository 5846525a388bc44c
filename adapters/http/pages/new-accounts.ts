import type { DiscoveryDocument } from '../../../application/administration/instance/discovery-document.ts'
import { html, nothing, type Html } from './html.ts'
import type { PageRequest } from './page.ts'

/**
 * How somebody gets an account: `open` by the form; `link` by the form with a registration link alone; `provider` by their first
 * sign-in at the provider of single sign-on; or not at all.
 */
export type WayToAccount = 'open' | 'link' | 'provider' | 'closed'

/** The way to an account that an instance offers. */
export function wayToAccount({ sso, registration }: DiscoveryDocument): WayToAccount {
  if (sso.enforced) return 'provider'
  if (registration.mode !== 'closed') return 'open'
  return registration.admin_registration_urls_enabled ? 'link' : 'closed'
}

/** Leads somebody without an account to one, and back to a page of this server. */
export function newAccountHint({ base, texts, instance }: PageRequest, next: string): Html {
  const { none, noneByLink, closed } = texts.newAccount
  const link = html`<a href="${base}/register?${new URLSearchParams({ next }).toString()}">${texts.register.title}</a>`
  switch (wayToAccount(instance)) {
    case 'open':
      return html`<p>${none} ${link}</p>`
    case 'link':
      return html`<p>${noneByLink} ${link}</p>`
    case 'provider':
      return nothing
    case 'closed':
      return html`<p>${closed}</p>`
  }
}
