import { html, nothing } from './html.js'
import { pageAnswer, type Page } from './page.js'
import { linkTo } from './registration-page.js'

/** What the address is, for somebody who opens it in a browser. */
export const startPage: Page = {
  path: '/',
  show: async (request) => {
    const { texts, instance, base } = request
    const { legal } = instance.app_public
    const isOpen = instance.registration.mode !== 'closed' && !instance.sso.enforced
    const register = isOpen ? html`<p><a href="${base}/register">${texts.register.title}</a></p>` : nothing
    const body = html`<p>${texts.start.intro}</p>
      <p>${texts.start.forClients} <code>${instance.endpoints.api}</code></p>
      ${register}
      <p><a href="${base}/docs">${texts.start.api}</a></p>
      <p>${[linkTo(legal.terms_url, texts.terms), linkTo(legal.privacy_url, texts.privacy)]}</p>`
    return pageAnswer(request, { title: texts.start.title, body })
  },
}
