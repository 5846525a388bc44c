import { startSession } from '../../test/faults/commands/message-stage.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, type Comparison } from '../support/rounds.ts'
import { openHttpSite, portOf } from './http-site.ts'

const connections = 16
const warmUp_s = 2
const content = 'The Analytical Engine weaves algebraic patterns'
const embed = {
  title: 'Note G',
  description: 'A diagram for the computation by the engine of the numbers of Bernoulli',
  url: 'https://example.com/note-g',
  color: 0x33_66_99,
  fields: [
    { name: 'Operations', value: '25', inline: true },
    { name: 'Variables', value: '24', inline: true },
  ],
  footer: { text: 'Ada' },
}

/** Create message with an embed, beside the same without one: at most 1.2 times as long. */
export async function sendEmbedLine({ seconds, rounds }: LineSettings): Promise<Comparison> {
  const site = await openHttpSite()
  try {
    for (const { owner } of new Map(site.guilds.map((guild) => [guild.owner.id, guild])).values())
      await startSession(site.product.url, owner)
    const own = { pid: site.product.pid, port: portOf(site.product.url) }
    const requestsWith = (body: object) =>
      site.guilds.map(({ owner, textChannel }) => ({
        method: 'POST',
        path: `/v1/channels/${textChannel}/messages`,
        token: owner.token,
        body: JSON.stringify(body),
      }))
    const [plain, embedded] = [requestsWith({ content }), requestsWith({ content, embeds: [embed] })]
    const baseline = (for_s = seconds) => site.measure(own, { connections, seconds: for_s, requests: plain })
    const product = (for_s = seconds) => site.measure(own, { connections, seconds: for_s, requests: embedded })
    await baseline(warmUp_s)
    await product(warmUp_s)
    return await compare({
      line: 'send with an embed, beside one without',
      unit: 'requests/s',
      target: 1 / 1.2,
      rounds,
      baseline: () => baseline(),
      product: () => product(),
    })
  } finally {
    await site.close()
  }
}
