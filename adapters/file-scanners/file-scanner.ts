import { Unavailable } from '../../application/failures/unavailable.ts'

/** A file on the disk of this process. */
export interface FileToScan {
  readonly path: string
  readonly size_bytes: number
}

/** A program of the operator's that knows viruses and other malware. */
export interface FileScanner {
  /** Sends it a file in pieces. Rejects with FileScannerUnavailable without an answer that says which of the two it is. */
  scan(file: FileToScan): Promise<'clean' | 'infected'>
  /** Rejects the same way if it does not answer. */
  answers(): Promise<void>
}

/** The scanner can't be reached, or does not say what a file is. */
export class FileScannerUnavailable extends Unavailable {
  override readonly name = 'FileScannerUnavailable'
  override readonly part = 'file scanner'
}
