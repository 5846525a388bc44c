import { clamd } from './clamd.ts'
import type { FileScanner } from './file-scanner.ts'
import { icap } from './icap.ts'

const clamdPort_default = 3310

/** What the setting FILE_SCANNER names: `clamd://host:port`, `clamd:///path/of/a/socket`, or `icap://host:port/service`. */
export function openFileScanner(setting: string): FileScanner {
  const url = new URL(setting)
  if (url.protocol === 'icap:') return icap(url)
  if (url.hostname === '') return clamd({ path: decodeURIComponent(url.pathname) })
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return clamd({ host, port: url.port === '' ? clamdPort_default : Number(url.port) })
}
