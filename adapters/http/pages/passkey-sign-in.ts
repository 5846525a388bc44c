import { isIP } from 'node:net'
import type { Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import { formOf, hiddenFields, pageAnswer, problem, type PageRequest } from './page.ts'
import { objectIn, textIn, type Outcome } from './run-operation.ts'
import type { SignInPage } from './sign-in-page.ts'

/** What a passkey is asked for: it alone signs in, or after a password, which gave a ticket. */
interface PasskeyStep {
  readonly ticket?: string | undefined
}

/** A button that goes on with a passkey. Browsers that can use none do not show it; for a host without a name none can. */
export function passkeyButton(request: PageRequest, { kept }: SignInPage, { ticket }: PasskeyStep = {}): Html {
  const { hostname } = new URL(request.instance.endpoints.api)
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return nothing
  const form = formOf(request, hiddenFields({ ...kept, step: 'passkey', ticket }), request.texts.signInByPasskey, {
    isMain: false,
  })
  return html`<div data-passkeys hidden>${form}</div>`
}

/**
 * The page on which a browser asks for a passkey by itself, and sends what the passkey signed. Gives what was refused where there is
 * nothing to ask for.
 */
export async function askForPasskey(
  request: PageRequest,
  page: SignInPage,
  { ticket }: PasskeyStep,
  refused?: Outcome,
): Promise<Answer | Outcome> {
  const { texts } = request
  const outcome =
    ticket === undefined
      ? await request.run('Create discoverable WebAuthn authentication options')
      : await request.run('Create WebAuthn MFA authentication options', { body: { ticket } })
  if (!outcome.ok) return outcome
  const challenge = textIn(outcome.value, 'challenge')
  const fields = hiddenFields({ ...page.kept, step: 'signed', ticket, challenge, response: '' })
  const body = html`${problem(refused)}${page.about}
    <noscript><p role="alert">${texts.passkeysNeedScripts}</p></noscript>
    <div data-passkeys hidden>
      <p>${texts.usePasskey}</p>
      <p role="alert" data-passkey-failed hidden>${texts.passkeyFailed}</p>
      <div data-passkey="${JSON.stringify(outcome.value)}">${formOf(request, fields, texts.tryPasskeyAgain)}</div>
    </div>`
  return pageAnswer(request, { status: refused?.status ?? 200, title: page.title, body })
}

/** Signs in with what a passkey signed. */
export function signInByPasskey({ form, run }: PageRequest): Promise<Outcome> {
  const { ticket, challenge, response } = form
  const assertion = { challenge, response: parsed(response) }
  return ticket === undefined
    ? run('Authenticate with WebAuthn', { body: assertion })
    : run('Complete login with WebAuthn', { body: { ...assertion, ticket } })
}

/** What a browser wrote as JSON; empty where it wrote none, which every operation refuses. */
function parsed(text = ''): Outcome['value'] {
  try {
    return objectIn(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
