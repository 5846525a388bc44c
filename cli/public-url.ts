import type { Settings } from './settings.js'

/** The base of links that commands print or mail, without a slash at the end. */
export function publicUrlIn({ http: { host, port }, publicUrl }: Pick<Settings, 'http' | 'publicUrl'>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
