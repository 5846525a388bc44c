import { startEventStoreDouble } from './double.ts'

/**
 * The double as a program: `node serve.js [port]`. Prints one line, `{"url":"esdb://…"}`, once it accepts connections. It ends
 * on SIGTERM and SIGINT, and when its standard input does, so that it does not outlive its parent.
 */
const port = portOf(process.argv[2])
const double = await startEventStoreDouble(port === undefined ? {} : { port })
process.stdout.write(`${JSON.stringify({ url: double.url })}\n`)

let ending = false
const end = (): void => {
  if (ending) return
  ending = true
  void double.close().then(() => process.exit(0))
}
process.once('SIGTERM', end)
process.once('SIGINT', end)
process.stdin.once('end', end).once('close', end).resume()

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${text} is no port: one is 0-65535`)
  return Number(text)
}
