import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import { backupCode, protect } from '../../support/authenticator.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { exchangeCode, signedInBy, state } from '../support/console.ts'
import { creationOptions, register } from '../support/passkeys.ts'
import { openServer } from '../support/scene.ts'

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = browsers.find((each) => existsSync(each))
const withOrWithout = executablePath === undefined ? 'left out: this machine has no Chromium' : 'on this machine'
/** Browsers make passkeys for names, not for addresses, and hold this one for secure without a certificate. */
const site = 'http://chat.localhost'

describe.skipIf(executablePath === undefined)(
  `signing in to the console in a real Chromium, ${withOrWithout}`,
  async () => {
    if (executablePath === undefined) return
    const folder = path.join(tmpdir(), `guildhall-console-${randomUUID()}`)
    await mkdir(folder)
    afterAll(() => rm(folder, { recursive: true }))
    await writeFile(path.join(folder, 'index.html'), '<!doctype html><link rel="icon" href="data:,">')
    const place = { folder: pathToFileURL(`${folder}/`), program: pathToFileURL(path.join(folder, 'nothing.mjs')) }
    const guildhall = await openServer({ publicUrl: site, consolePlace: place })
    const rules = `MAP chat.localhost ${new URL(guildhall.url).host}`
    const args = ['--no-sandbox', `--host-resolver-rules=${rules}`]
    const browser = await chromium.launch({ executablePath, args })
    afterAll(() => browser.close())

    /** A tab at the sign-in page, with an authenticator that always says yes. */
    async function openTab() {
      const context = await browser.newContext({ locale: 'en-GB' })
      onTestFinished(() => context.close())
      const tab = await context.newPage()
      const complaints: string[] = []
      tab.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      tab.on('pageerror', ({ message }) => complaints.push(message))
      const devtools = await context.newCDPSession(tab)
      await devtools.send('WebAuthn.enable')
      const options = { protocol: 'ctap2', transport: 'internal', automaticPresenceSimulation: true } as const
      const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: { ...options, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      })
      const answers = (isUserVerified: boolean) =>
        devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
      const verifier = randomBytes(32).toString('base64url')
      const challenge = createHash('sha256').update(verifier).digest('base64url')
      const query = new URLSearchParams({ state, code_challenge: challenge, code_challenge_method: 'S256' })
      await tab.goto(`${site}/console/sign-in?${query.toString()}`)
      return { tab, verifier, complaints, answers }
    }

    /** Makes a passkey in a tab, as a client of the account does. */
    async function enrolIn(tab: Page, account: TestAccount, proof?: object): Promise<void> {
      const options = await creationOptions(guildhall, account, proof)
      const response = await tab.evaluate(async (asked) => {
        const { PublicKeyCredential: kind, navigator: browserOf } = globalThis as never as {
          readonly PublicKeyCredential: { parseCreationOptionsFromJSON(given: unknown): unknown }
          readonly navigator: { readonly credentials: { create(given: unknown): Promise<unknown> } }
        }
        const made = await browserOf.credentials.create({ publicKey: kind.parseCreationOptionsFromJSON(asked) })
        return JSON.parse(JSON.stringify(made)) as object
      }, options)
      expect((await register(guildhall, account, options, response)).status).toBe(204)
    }

    async function expectSignedIn(tab: Page, verifier: string, account: TestAccount): Promise<void> {
      await tab.waitForURL(`${site}/console/callback?*`)
      const { searchParams } = new URL(tab.url())
      expect(searchParams.get('state')).toBe(state)
      const { token } = signedInBy(await exchangeCode(guildhall, searchParams.get('code') ?? '', verifier))
      const me = await guildhall.request('GET', '/v1/admin/users/@me', { token })
      expect(me.body).toMatchObject({ user: { id: account.id } })
    }

    async function sendPassword(tab: Page, { email, password }: TestAccount): Promise<void> {
      await tab.locator('[name=name]').fill(email)
      await tab.locator('[name=password]').fill(password)
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
    }

    const newAdministrator = () => administrator(guildhall, '*')

    it('works by password', async () => {
      const { tab, verifier, complaints } = await openTab()
      const root = await newAdministrator()
      await sendPassword(tab, root)
      await expectSignedIn(tab, verifier, root)
      expect(complaints).toEqual([])
    })

    it('works by password and the code of an authenticator', async () => {
      const { tab, verifier, complaints } = await openTab()
      const root = await protect(guildhall, await newAdministrator())
      await sendPassword(tab, root)
      expect(await tab.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
      await tab.locator('[name=code]').fill(backupCode(root, 0))
      await tab.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expectSignedIn(tab, verifier, root)
      expect(complaints).toEqual([])
    })

    it('works by a passkey alone', async () => {
      const { tab, verifier, complaints } = await openTab()
      const root = await newAdministrator()
      await enrolIn(tab, root)
      await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await expectSignedIn(tab, verifier, root)
      expect(complaints).toEqual([])
    })

    it('works by password and a passkey, which is asked for at once where it is the only second factor', async () => {
      const { tab, verifier, complaints } = await openTab()
      const root = await newAdministrator()
      await enrolIn(tab, root)
      await sendPassword(tab, root)
      await expectSignedIn(tab, verifier, root)
      expect(complaints).toEqual([])
    })

    it('works by password and a passkey that is chosen instead of a code', async () => {
      const { tab, verifier, complaints } = await openTab()
      const root = await protect(guildhall, await newAdministrator())
      await enrolIn(tab, root, { mfa_method: 'totp', mfa_code: backupCode(root, 0) })
      await sendPassword(tab, root)
      await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await expectSignedIn(tab, verifier, root)
      expect(complaints).toEqual([])
    })

    it('says so where no passkey was used, and asks again', async () => {
      const { tab, verifier, answers } = await openTab()
      const root = await newAdministrator()
      await enrolIn(tab, root)
      await answers(false)
      await tab.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await tab.getByText('No passkey was used.').waitFor()
      await answers(true)
      await tab.getByRole('button', { name: 'Ask again' }).click()
      await expectSignedIn(tab, verifier, root)
    })
  },
)
