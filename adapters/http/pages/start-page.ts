import { html, nothing } from './html.ts'
import { pageAnswer, type Page } from './page.ts'
import { wayToAccount } from './new-accounts.ts'
import { linkTo } from './registration-page.ts'

/** What the address is, for somebody who opens it in a browser. */
export const startPage: Page = {
  path: '/',
  show: async (request) => {
    const { texts, instance, base } = request
    const { legal } = instance.app_public
    const link = html`<p><a href="${base}/register">${texts.register.title}</a></p>`
    const register = wayToAccount(instance) === 'open' ? link : nothing
    const body = html`<p>${texts.start.intro}</p>
      <p>${texts.start.forClients} <code>${instance.endpoints.api}</code></p>
      ${register}
      <p><a href="${base}/docs">${texts.start.api}</a></p>
      <p>${[linkTo(legal.terms_url, texts.terms), linkTo(legal.privacy_url, texts.privacy)]}</p>`
    return pageAnswer(request, { title: texts.start.title, body })
  },
}
