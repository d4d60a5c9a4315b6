import { useState } from 'react';
import { ownPinsUpdate, restaurantPinsValidate } from '../../generated/client/session/session';
import { type InputForm, useInputForm } from '../form/useInputForm';
import { ApiError } from '../http';
import { session } from '../session';
import { here } from '../target';
import { useOwn } from './own';

export interface PinValues {
  pin: string;
  /** Of the account: whoever has no PIN yet sets one with it. */
  password?: string;
}

export interface PinForm extends InputForm<PinValues> {
  /** The last one was wrong. */
  wrong: boolean;
  /** There is none to compare with: the form sets one. */
  none: boolean;
}

interface Options {
  /** Does something with the PIN; throws the service's refusal. */
  onPin: (pin: string) => Promise<void>;
  /** After it was taken. */
  onDone?: () => void;
  /** It only looks whether the PIN is right, so a missing answer locks nothing. */
  repeatable?: boolean;
}

/**
 * Asks for the own PIN. It is cleared when the service answered, and stays where nobody did: sending again then
 * needs no typing. Whoever has none sets one in the same place, and goes on with it.
 */
export function usePinForm({ onPin, onDone, repeatable = false }: Options): PinForm {
  const [code, setCode] = useState<'PIN_INVALID' | 'PIN_REQUIRED'>();
  const none = useOwn()?.has_pin === false || code === 'PIN_REQUIRED';
  const form = useInputForm<PinValues, boolean>({
    initial: { pin: '' },
    guard: false,
    repeatable,
    send: async ({ pin, password }) => {
      if (none && password !== undefined) {
        await ownPinsUpdate(here()[0], { pin, password });
        await session.load();
      }
      setCode(undefined);
      try {
        await onPin(pin);
        return true;
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.unanswered) throw failure;
        form.begin({ pin: '' });
        if (failure.code === 'PIN_REQUIRED') {
          setCode('PIN_REQUIRED');
          return false;
        }
        if (failure.code !== 'PIN_INVALID') throw failure;
        setCode('PIN_INVALID');
        throw new ApiError({ ...failure.problem, keys: ['pin'] });
      }
    },
    onDone: (done) => done && onDone?.(),
  });
  return { ...form, wrong: code === 'PIN_INVALID', none };
}

/**
 * Has the service compare the own PIN.
 * @throws ApiError `PIN_INVALID`, `PIN_REQUIRED` when there is none, and as all calls do.
 */
export async function checkPin(pin: string): Promise<void> {
  const { is_valid } = await restaurantPinsValidate(...here(), { pin });
  if (!is_valid) throw new ApiError({ status: 403, code: 'PIN_INVALID' });
}
