import { startTestGuildhall, type TestAccount, type TestGuildhall } from '../../support/test-guildhall.js'
import { accept, found, invite, type TestGuild } from './answers.js'

/** Ada's guild, which Brian is in and Carol is not. */
export interface Scene {
  readonly guildhall: TestGuildhall
  readonly ada: TestAccount
  readonly brian: TestAccount
  readonly carol: TestAccount
  readonly home: TestGuild
}

/** Starts a server and sets the scene on it. Whoever asks for it closes the server. */
export async function openScene(): Promise<Scene> {
  const guildhall = await startTestGuildhall()
  const [ada, brian, carol] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
  const home = await found(guildhall, ada)
  await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
  return { guildhall, ada, brian, carol, home }
}
