import type { Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import { pageAnswer, problem, sayAnswer, type Page, type PageRequest } from './page.ts'
import { objectIn, textIn, type Outcome } from './run-operation.ts'
import { isSignedIn, signIn, signInAnswer } from './sign-in.ts'
import type { SignInPage } from './sign-in-page.ts'
import { startSignOn } from './sign-on-page.ts'
import { endSession } from './token-pages.ts'

type Members = Outcome['value']

interface CodePage {
  readonly path: `/${string}/:code`
  readonly reads: string
  readonly acts: string
  readonly parameter: string
  readonly shown: (request: PageRequest, found: Members) => CodeTexts
}

interface CodeTexts {
  readonly title: string
  readonly about: Html
  readonly button: string
  readonly done: string
  /** Whether the code can still be used. */
  readonly isOpen: boolean
}

/** Shows an invite, and joins for people who sign in on it. */
export const invitePage = pageOf({
  path: '/invite/:code',
  reads: 'Get invite',
  acts: 'Accept invite',
  parameter: 'invite_code',
  shown: ({ texts: { invite } }, found) => {
    const destination =
      textIn(objectIn(found['guild']), 'name') ?? textIn(objectIn(found['channel']), 'name') ?? invite.group
    const inviter = nameOf(objectIn(found['inviter']))
    const count = found['member_count']
    const about = html`${inviter === undefined ? nothing : html`<p>${invite.from(inviter)}</p>`}
    ${typeof count === 'number' ? html`<p>${invite.members(count)}</p>` : nothing}`
    return {
      title: invite.title(destination),
      about,
      button: invite.button,
      done: invite.done(destination),
      isOpen: true,
    }
  },
})

/** Shows a gift, and redeems it for people who sign in on it. */
export const giftPage = pageOf({
  path: '/gift/:code',
  reads: 'Get gift code',
  acts: 'Redeem gift code',
  parameter: 'code',
  shown: ({ texts: { gift } }, found) => {
    const isOpen = found['redeemed'] !== true
    const what = gift.about(Number(found['duration_quantity']), textIn(found, 'duration_type') ?? '')
    const about = html`<p>${what}</p>
      ${isOpen ? nothing : html`<p>${gift.redeemed}</p>`}`
    return { title: gift.title, about, button: gift.button, done: gift.done, isOpen }
  },
})

function pageOf(page: CodePage): Page {
  const found = (request: PageRequest): Promise<Outcome> =>
    request.run(page.reads, { params: { [page.parameter]: request.params['code'] ?? '' } })
  return {
    path: page.path,
    show: async (request) => {
      const outcome = await found(request)
      if (!outcome.ok) return refusedAnswer(request, outcome)
      const texts = page.shown(request, outcome.value)
      return texts.isOpen
        ? signInAnswer(request, signInPageOf(request, texts))
        : pageAnswer(request, { title: texts.title, body: texts.about })
    },
    send: async (request) => {
      const outcome = await found(request)
      if (!outcome.ok) return refusedAnswer(request, outcome)
      return act(request, page, page.shown(request, outcome.value))
    },
  }
}

async function act(request: PageRequest, page: CodePage, texts: CodeTexts): Promise<Answer> {
  const signInPage = signInPageOf(request, texts)
  if (request.form['step'] === 'sso') return startSignOn(request, signInPage.address)
  const signedIn = await signIn(request, signInPage)
  if (!isSignedIn(signedIn)) return signedIn
  const { token } = signedIn
  const params = { [page.parameter]: request.params['code'] ?? '' }
  const outcome = await request.run(page.acts, { params, token })
  await endSession(request, { ...outcome, value: { token } })
  return outcome.ok ? sayAnswer(request, texts.title, texts.done) : signInAnswer(request, signInPage, outcome)
}

function signInPageOf({ path }: PageRequest, { title, about, button }: CodeTexts): SignInPage {
  return { title, about, kept: {}, button, address: path }
}

/** The page for something that is not there, or may not be seen. */
export function refusedAnswer(request: PageRequest, outcome: Outcome): Answer {
  return pageAnswer(request, { status: outcome.status, title: request.texts.failed, body: problem(outcome) })
}

/** The name that people see of an account. */
export function nameOf(user: Members): string | undefined {
  return textIn(user, 'global_name') ?? textIn(user, 'username')
}
