import { readSettings } from '../../process/settings/settings.ts'

/** The base of the URLs of a server: of the named one, or of the one that the settings mean. Rejects if nothing answers there. */
export async function runningServer(url: string | undefined): Promise<string> {
  const server = url?.replace(/\/+$/, '') ?? serverOfSettings()
  try {
    await fetch(`${server}/_health`)
  } catch (error) {
    throw new Error(`No server answers at ${server}: start one with 'npm start', or name one with --url`, {
      cause: error,
    })
  }
  return server
}

function serverOfSettings(): string {
  const { http, publicUrl } = readSettings(process.env)
  return publicUrl ?? `http://${http.host.includes(':') ? `[${http.host}]` : http.host}:${http.port}`
}
