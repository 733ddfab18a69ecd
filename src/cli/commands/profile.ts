/** `conex profile`: saves a hosted service and its client, so that other commands need no flags. */
import type { Command } from 'commander'
import { profileFile, readProfile, removeProfile, writeProfile } from '../hosted/profile.ts'
import { hostedService, type ServiceOptions, withService } from '../hosted/service.ts'
import type { Io } from '../io.ts'
import { createOutput, type OutputOptions, withOutput } from '../output.ts'

export function addProfileCommand(program: Command, io: Io): void {
  const profile = program
    .command('profile')
    .description('store the address and client of a hosted service')
    .addHelpText(
      'after',
      `
The profile is ~/.config/conex/profile.json (or below XDG_CONFIG_HOME); only its owner can read it (mode 0600).
Flags and the environment override it. Conex never sends its secret to another address.

Examples:
  conex profile set --url https://conex.example.com --client-id 9f2c           asks for the secret
  vault read conex | conex profile set --url https://conex.example.com --client-id 9f2c --client-secret -
  conex profile show`,
    )

  withService(profile.command('set').description('write the profile')).action(async (options: ServiceOptions) => {
    const { baseUrl, clientId, clientSecret } = await hostedService(options, io, { useProfile: false })
    await writeProfile({ url: baseUrl, client_id: clientId, client_secret: clientSecret }, io.env)
    io.stderr.write(`Written to ${profileFile(io.env)}.\n`)
  })

  withOutput(profile.command('show').description('show the profile, without its secret')).action(
    async (options: OutputOptions) => {
      const found = await readProfile(io.env)
      if (found === null) throw new Error('There is no profile; "conex profile set" creates one.')
      createOutput(options, io).record({ file: profileFile(io.env), url: found.url, client_id: found.client_id })
    },
  )

  profile
    .command('remove')
    .description('remove the profile')
    .action(async () => {
      const removed = await removeProfile(io.env)
      io.stderr.write(removed ? `Removed ${profileFile(io.env)}.\n` : 'There was no profile.\n')
    })
}
