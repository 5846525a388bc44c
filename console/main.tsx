import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Console } from './console.tsx'
import { consoleUrl, isAnswer, takeAnswer } from './session/session.ts'

await start()

async function start(): Promise<void> {
  const element = document.querySelector('#console')
  if (!element) return
  const failed = isAnswer ? await takeAnswer().catch(String) : undefined
  if (failed !== undefined) return tellOfFailure(element, failed)
  createRoot(element).render(
    <StrictMode>
      <Console />
    </StrictMode>,
  )
}

/** Before anything is drawn, and in both languages: no view is there yet. A sign-in that fails is not begun again by itself. */
function tellOfFailure(element: Element, error: string): void {
  const link = document.createElement('a')
  link.href = consoleUrl.href
  link.textContent = 'Sign in again. / Noch einmal anmelden.'
  element.replaceChildren(`The sign-in failed. / Die Anmeldung ist gescheitert. (${error}) `, link)
}
