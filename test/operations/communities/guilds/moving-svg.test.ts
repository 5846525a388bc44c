import { describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields } from '../../support/answers.ts'
import { setFeatures } from '../../support/custom-codes.ts'
import { openScene } from '../../support/scene.ts'

const { guildhall, ada, home } = await openScene()
const encoded = (content: string): string =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">${content}</svg>`).toString('base64')
const still = encoded('<rect width="64" height="64" fill="red"/>')
const moving = encoded('<rect width="64" height="64" fill="red"><animate attributeName="x" to="9" dur="1s"/></rect>')
const modify = (body: object) => guildhall.request('PATCH', `/v1/guilds/${home.id}`, { token: ada.token, body })

describe('an SVG with <animate> is an animated upload', () => {
  it('no splash may be one', async () => {
    await setFeatures(guildhall, home.id, 'INVITE_SPLASH')
    expect((await modify({ splash: still })).status).toBe(200)
    for (const path of ['splash', 'embed_splash'])
      expectFields(await modify({ [path]: moving }), field(path, 'INVALID_IMAGE_FORMAT'))
  })

  it('a banner may be one only with ANIMATED_BANNER', async () => {
    await setFeatures(guildhall, home.id, 'BANNER')
    expect((await modify({ banner: still })).status).toBe(200)
    expectFields(await modify({ banner: moving }), field('banner', 'ANIMATED_GUILD_BANNER_REQUIRES_FEATURE'))
  })

  it('an icon may be one: it shows its first frame', async () => {
    expect(bodyOf(await modify({ icon: moving }))['icon']).toMatch(/^[0-9a-f]{32}$/)
  })
})
