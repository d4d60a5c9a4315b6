import { Store } from '../lib/events';

/** The waiting calls of an ended session: one dialog for all of them. */
export const signInRequest = new Store<{ done: (signedIn: boolean) => void } | undefined>(undefined);
let pending: Promise<boolean> | undefined;

/** Opens the dialog; true when the person is signed in again and the call may be repeated. */
export function askToSignIn(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => {
    signInRequest.set({
      done: (signedIn) => {
        signInRequest.set(undefined);
        pending = undefined;
        resolve(signedIn);
      },
    });
  });
  return pending;
}
