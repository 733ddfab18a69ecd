import { dirname, join } from 'node:path'
import { type Installation, installInFolder } from '../build/in-folder.ts'
import { programVariable } from './command.ts'

/** The package in a folder of its own: that of the whole run, or one for a file that is run by itself. */
export async function installed(): Promise<Installation> {
  const program = process.env[programVariable]
  if (program === undefined) return installInFolder()
  return { program, folder: join(dirname(program), '../..'), remove: () => undefined }
}
